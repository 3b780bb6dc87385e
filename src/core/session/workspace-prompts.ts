// Ways to ask that lie in the workspace: `.patchbay/prompts/*.md`. They are the words of a repository: read in trusted
// folders only and through the guard of every file, shown in the menu, and used only once a person has seen what they
// say. One that has changed is another one.

import type { Workspace } from "../changes/workspace.ts";
import { visible } from "../conversation/hidden-characters.ts";
import { nameFrom, type SavedPrompt } from "../conversation/saved-prompt.ts";
import type { GuardedFiles, GuardedFolder } from "../files/guarded-files.ts";
import { below } from "../files/guarded-files.ts";
import { pathOf } from "../files/locate.ts";
import { untilAborted } from "../util/abort.ts";
import { Emitter } from "../util/emitter.ts";

/** Which texts a person has seen, by their hash. */
export interface SeenPrompts {
  has(sha256: string): boolean;
  add(sha256: string): void;
}

export interface WorkspacePromptDeps {
  readonly workspace: Workspace;
  readonly seen: SeenPrompts;
  files(): GuardedFiles;
  now(): number;
}

interface Found extends SavedPrompt {
  readonly path: string;
  readonly sha256: string;
}

const promptFolder = ".patchbay/prompts";

/** More than anybody looks through, and more than anybody reads before a first use. */
const maxFiles = 100;
const maxCharacters = 8000;
const maxSeconds = 10;
const keptFor = 3000;

export class WorkspacePrompts {
  readonly #deps: WorkspacePromptDeps;
  readonly #changes = new Emitter<void>();
  #found: readonly Found[] = [];
  #looking: Promise<void> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** There are others than before. */
  readonly onChange = this.#changes.on;

  constructor(deps: WorkspacePromptDeps) {
    this.#deps = deps;
  }

  /** As they were when they were looked for last. */
  get list(): readonly SavedPrompt[] {
    return this.#deps.workspace.trusted ? this.#found : [];
  }

  /** Those that a person has seen: nothing else is ever told to the model. */
  get usable(): readonly SavedPrompt[] {
    return this.#deps.workspace.trusted
      ? this.#found.filter(({ sha256 }) => this.#deps.seen.has(sha256))
      : [];
  }

  /** Where it lies and what it says, when it may not be used yet. */
  unseen(name: string): { readonly path: string; readonly prompt: string } | undefined {
    const found = this.#deps.workspace.trusted && this.#found.find((each) => each.name === name);
    return found && !this.#deps.seen.has(found.sha256) ? found : undefined;
  }

  /** A person has read exactly this. */
  accept(prompt: string): void {
    this.#deps.seen.add(this.#deps.workspace.sha256(prompt));
  }

  /** Looks for them again, unless that was done just now. */
  look(): Promise<void> {
    const { now } = this.#deps;
    // A clock that was set back would else keep them for as long as it was set back by.
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
    for (const folder of workspace.trusted ? workspace.folders : []) {
      const path = pathOf({ folder, path: promptFolder }, workspace.folders);
      // Most workspaces have none; one that cannot be read is none, too.
      const inside = await untilAborted(this.#findIn(guarded, path, signal), signal).catch(() => []);
      found.push(...inside);
    }
    const isSame = JSON.stringify(found) === JSON.stringify(this.#found);
    this.#found = found;
    if (!isSame) this.#changes.fire();
  }

  async #findIn(guarded: GuardedFiles, path: string, signal: AbortSignal): Promise<readonly Found[]> {
    const folder = await guarded.enter(path, signal);
    const { entries } = await folder.list(folder.start);
    const names = entries.filter(({ name, kind }) => kind === "file" && /\.md$/i.test(name));
    const sorted = names.map(({ name }) => name).toSorted();
    const read = sorted.slice(0, maxFiles).map((name) => this.#read(folder, name).catch(() => undefined));
    return (await Promise.all(read)).flatMap((each) => each ?? []);
  }

  async #read(folder: GuardedFolder, name: string): Promise<Found | undefined> {
    const file = below(folder.start, name);
    // What is invisible is written out, for the person who agrees and for the model alike (threats D2).
    const prompt = visible(await folder.read(file)).trim();
    if (prompt.length > maxCharacters) return undefined;
    const [first = ""] = prompt.split("\n", 1);
    const detail = first.replace(/^#+\s*/, "").slice(0, 100);
    const sha256 = this.#deps.workspace.sha256(prompt);
    const called = nameFrom(name.replace(/\.md$/i, ""));
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
