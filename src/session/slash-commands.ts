// Slash commands, typed in the box or invoked by an editor command: the built-in ones and those a user has saved. The
// person sees the question as they could have typed it; the prompt for the model is made from that here, so a question
// can be edited and asked again without storing anything else.

import { type CleanText, verbatim } from "../conversation/events.ts";
import type { PromptCommand } from "../conversation/state.ts";
import { below, type GuardedFiles, type GuardedFolder } from "../files/guarded-files.ts";
import { takeOutSecrets } from "../files/privacy.ts";
import { pathOf } from "../files/refusal.ts";
import type { Workspace } from "../files/workspace.ts";
import { Emitter } from "../util/emitter.ts";
import { visible } from "../util/hidden-characters.ts";
import { raceAbort } from "../util/timeouts.ts";
import { builtInPrompts } from "./internal/built-in-prompts.ts";
import { noFrontMatter, readFrontMatter } from "./internal/front-matter.ts";

const builtInCommands = builtInPrompts.map((each): SavedPrompt => ({ ...each, origin: "built-in" }));

/** Valid command names: words of any script, joined by hyphens or underscores. */
const nameForm = /^[\p{L}\p{N}_-]{1,64}$/u;

/** Commands that the page itself handles. */
const ofThePage = ["model", "clear", "compact", "help"];

/** Merges commands. Earlier lists take precedence on equal names: built-in, then the user's, then the workspace's. */
export function allCommands(...saved: readonly (readonly SavedPrompt[])[]): readonly SavedPrompt[] {
  const names = new Set(ofThePage);
  return [builtInCommands, ...saved].flat().filter(({ name, prompt }) => {
    if (names.has(name) || !nameForm.test(name) || prompt.trim() === "") return false;
    names.add(name);
    return true;
  });
}

/** The question as shown in the conversation; `about` names the attachments if the person wrote nothing. */
export function shownPrompt(prompt: string, command: string | undefined, about: readonly string[]): string {
  if (command === undefined) return prompt;
  const words = prompt.trim() === "" ? about.join("; ") : prompt;
  return words === "" ? `/${command}` : `/${command} ${words}`;
}

const calling = /^\/([\p{L}\p{N}_-]+)(?:\s+|$)/u;

/** The command name a question begins with; a command of that name need not exist. */
export const calledIn = (shown: string): string | undefined => calling.exec(shown)?.[1];

/** The prompt the model gets for a question. */
export function promptForModel(shown: string, commands: readonly SavedPrompt[]): CleanText {
  const [whole, name] = calling.exec(shown) ?? [];
  const command = commands.find((each) => each.name === name);
  if (whole === undefined || command === undefined) return verbatim(shown);
  const words = shown.slice(whole.length);
  // The prompt may come from a file of the workspace.
  const { text } = takeOutSecrets(command.prompt);
  return words.trim() === "" ? text : verbatim(`${text}\n\nThe user says: ${words}`);
}

/**
 * A named prompt, saved by a person or found in the workspace. Independent of the built-in ones, because settings are
 * read before anything is asked.
 */
export interface SavedPrompt extends PromptCommand {
  /** What the model is told. */
  readonly prompt: string;
  /** Whether it changes files, which only some models can. */
  readonly mode: PromptMode;
  readonly origin: "built-in" | "user" | "workspace";
}

export const promptModes = ["ask", "edit"] as const;
type PromptMode = (typeof promptModes)[number];

/** A prompt that the user saved under a title. */
export function savedPrompt(title: string, prompt: string, mode: PromptMode): SavedPrompt {
  return { name: nameFrom(title), detail: title.trim(), prompt, mode, origin: "user" };
}

/** `Release notes` becomes `/release-notes`. */
function nameFrom(title: string): string {
  const words =
    title
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.join("-").slice(0, 64);
}

/** The texts a person has seen, by hash. */
export interface SeenPrompts {
  has(sha256: string): boolean;
  add(sha256: string): void;
}

interface WorkspacePromptDeps {
  readonly workspace: Workspace;
  readonly seen: SeenPrompts;
  files(): GuardedFiles;
  now(): number;
}

interface Found extends SavedPrompt {
  readonly path: string;
  readonly sha256: string;
}

/** Our own, and the prompt files of VS Code, which say what they are in front matter. */
const promptFolders = [
  { folder: ".patchbay/prompts", ending: /\.md$/i, hasFrontMatter: false },
  { folder: ".github/prompts", ending: /\.prompt\.md$/i, hasFrontMatter: true },
] as const;
type PromptFolder = (typeof promptFolders)[number];

/** More files than anybody looks through, and longer texts than anybody reads before a first use. */
const maxFiles = 100;
const maxCharacters = 8000;
const maxSeconds = 10;
const keptFor = 3000;

/**
 * Saved prompts in the workspace: `.patchbay/prompts/*.md` and `.github/prompts/*.prompt.md`. They come from a repository, so they are read only in
 * trusted folders and through the file guard, shown in the menu, and used only once a person has seen their text. A
 * changed prompt has to be seen again.
 */
export class WorkspacePrompts {
  readonly #deps: WorkspacePromptDeps;
  readonly #changes = new Emitter<void>();
  #found: readonly Found[] = [];
  #looking: Promise<void> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Fires when the list has changed. */
  readonly onChange = this.#changes.on;

  constructor(deps: WorkspacePromptDeps) {
    this.#deps = deps;
  }

  /** The prompts last found. */
  get list(): readonly SavedPrompt[] {
    return this.#deps.workspace.trusted ? this.#found : [];
  }

  /** The prompts a person has seen; only these are sent to the model. */
  get usable(): readonly SavedPrompt[] {
    return this.#deps.workspace.trusted
      ? this.#found.filter(({ sha256 }) => this.#deps.seen.has(sha256))
      : [];
  }

  /** Where the prompts last found are, and whether a person has seen them. */
  get files(): readonly { readonly path: string; readonly isAgreed: boolean }[] {
    const found = this.#deps.workspace.trusted ? this.#found : [];
    return found.map(({ path, sha256 }) => ({ path, isAgreed: this.#deps.seen.has(sha256) }));
  }

  /** The path and text of a prompt that has not been seen yet. */
  unseen(name: string): { readonly path: string; readonly prompt: string } | undefined {
    const found = this.#deps.workspace.trusted && this.#found.find((each) => each.name === name);
    return found && !this.#deps.seen.has(found.sha256) ? found : undefined;
  }

  /** Marks this text as seen. */
  accept(prompt: string): void {
    this.#deps.seen.add(this.#deps.workspace.sha256(prompt));
  }

  /** Looks for prompts again, unless that was done just now. */
  look(): Promise<void> {
    const { now } = this.#deps;
    // `abs`: a clock that was set back would otherwise keep the list for as long as it was set back.
    const isFresh = Math.abs(now() - this.#lookedAt) < keptFor;
    if (this.#looking === undefined && isFresh) return Promise.resolve();
    this.#looking ??= this.#findAll().finally(() => {
      this.#lookedAt = now();
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #findAll(): Promise<void> {
    const { workspace, files } = this.#deps;
    const guarded = files();
    const signal = AbortSignal.timeout(maxSeconds * 1000);
    const found: Found[] = [];
    for (const folder of workspace.trusted ? workspace.folders : [])
      for (const prompts of promptFolders) {
        const path = pathOf({ folder, path: prompts.folder }, workspace.folders);
        // Most workspaces have none; a folder that cannot be read counts as empty.
        const inside = await raceAbort(this.#findIn(guarded, path, prompts, signal), signal).catch(() => []);
        found.push(...inside);
      }
    const isSame = JSON.stringify(found) === JSON.stringify(this.#found);
    this.#found = found;
    if (!isSame) this.#changes.fire();
  }

  async #findIn(
    guarded: GuardedFiles,
    path: string,
    prompts: PromptFolder,
    signal: AbortSignal,
  ): Promise<readonly Found[]> {
    const folder = await guarded.enter(path, signal);
    const { entries } = await folder.list(folder.start);
    const names = entries.filter(({ name, kind }) => kind === "file" && prompts.ending.test(name));
    const sorted = names.map(({ name }) => name).toSorted();
    const read = sorted
      .slice(0, maxFiles)
      .map((name) => this.#read(folder, name, prompts).catch(() => undefined));
    return (await Promise.all(read)).flatMap((each) => each ?? []);
  }

  async #read(
    folder: GuardedFolder,
    name: string,
    { ending, hasFrontMatter }: PromptFolder,
  ): Promise<Found | undefined> {
    const file = below(folder.start, name);
    // Hidden characters are written out, for the person who agrees and for the model alike (threats D2).
    const whole = visible(await folder.read(file));
    const { fields, length } = hasFrontMatter ? await readFrontMatter(whole) : noFrontMatter;
    const prompt = whole.slice(length).trim();
    if (prompt.length > maxCharacters) return undefined;
    const [first = ""] = prompt.split("\n", 1);
    const [described = first.replace(/^#+\s*/, "")] = fields.get("description") ?? [];
    const detail = described.trim().slice(0, 100);
    const sha256 = this.#deps.workspace.sha256(prompt);
    const [title = name.replace(ending, "")] = fields.get("name") ?? [];
    const called = nameFrom(title);
    return {
      name: called,
      detail,
      prompt,
      mode: "ask",
      origin: "workspace",
      path: folder.nameOf(file),
      sha256,
    };
  }
}
