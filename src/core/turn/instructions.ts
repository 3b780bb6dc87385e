// What a conversation begins with: instructions and tools, made once and then frozen, byte for byte. They change only
// when the user does something that changes what is offered – and that is said, because it costs the cached prefix.

import type { Workspace } from "../changes/workspace.ts";
import { type AttachmentView, type TokenCount, weightOf } from "../conversation/attachment.ts";
import type { CleanText } from "../conversation/content.ts";
import { hidesCharacters, visible } from "../conversation/hidden-characters.ts";
import type { Route } from "../conversation/models.ts";
import type { Opened } from "../conversation/record.ts";
import type { GuardedFiles } from "../files/guarded-files.ts";
import { pathOf } from "../files/locate.ts";
import { secretsNote, takeOutSecrets } from "../files/secrets.ts";
import { type Message, message } from "../messages/message.ts";
import { cutText } from "../tools/cut-lines.ts";
import { webSearch } from "../tools/own-tools.ts";
import { untilAborted } from "../util/abort.ts";
import { asArray, asObject, asString, parseJson } from "../util/json.ts";
import { startsAnew } from "./plain-history.ts";
import { instructionsOf } from "./prompts.ts";
import type { FrozenPrefix } from "./turn-request.ts";

export interface OpeningDeps {
  readonly workspace: Workspace;
  readonly files: GuardedFiles;
  /** Raw definitions of what is allowed now. */
  readonly offered: readonly string[];
  readonly wantsSearch: boolean;
  readonly standing: InstructionSettings;
  /** What a text comes to, for its chip. */
  count?(text: string): TokenCount | undefined;
}

export interface InstructionSettings {
  /** The user's own words to every conversation. */
  readonly user: string;
  /** Whether the workspace's own file is read. */
  readonly workspaceFile: boolean;
}

interface Opening {
  readonly frozen: Omit<Opened, "type" | "at" | "cacheId">;
  /** What was read for it, shown with the first question. */
  readonly chips: readonly AttachmentView[];
}

const fileName = "AGENTS.md";
const maxBytes = 32 * 1024;
const maxSeconds = 10;

export interface Settled {
  readonly opened: Opened;
  readonly isNew: boolean;
  readonly chips: readonly AttachmentView[];
  /** For people: what is different from now on. */
  readonly notes: readonly Message[];
}

/** What a conversation begins with stays as it is, byte for byte, until the user changes what is offered. */
export async function settle(
  known: Opened | undefined,
  deps: OpeningDeps,
  fresh: Pick<Opened, "at" | "cacheId">,
): Promise<Settled> {
  const change = known && changeOf(known.tools, deps);
  if (known !== undefined && change === undefined)
    return { opened: known, isNew: false, chips: [], notes: [] };
  const notes = change?.notes ?? [];
  if (known !== undefined && change?.kind === "tools")
    return { opened: { ...known, at: fresh.at, tools: change.tools }, isNew: true, chips: [], notes };
  const { frozen, chips } = await createOpening(deps);
  const opened: Opened = { type: "opened", ...fresh, ...frozen, ...(known && { cacheId: known.cacheId }) };
  return { opened, isNew: true, chips, notes };
}

/** The beginning for one kind of model. */
export function frozenFor(route: Route, opened: Opened): FrozenPrefix {
  const { instructions, chatInstructions, tools, cacheId } = opened;
  return route === "responses"
    ? { instructions, tools, cacheId }
    : { instructions: chatInstructions, tools: [], cacheId };
}

async function createOpening(deps: OpeningDeps): Promise<Opening> {
  const { workspace, offered, wantsSearch, standing, count } = deps;
  const found = workspace.trusted && standing.workspaceFile ? await workspaceFiles(deps) : [];
  const all = { user: standing.user, workspace: found.map(({ path, text }) => ({ path, text })) };
  // Where patches may be proposed at all, a model without tools does so in its text.
  const offersPatches = offered.some((raw) => nameOf(raw) === "apply_patch");
  return {
    frozen: {
      instructions: instructionsOf(offered.length > 0 ? "tools" : "talk", all),
      chatInstructions: instructionsOf(offersPatches ? "patches" : "talk", all),
      tools: [...offered, ...(wantsSearch ? [webSearch] : [])],
    },
    chips: found.map(({ path, text, notes }) => ({
      kind: "instructions",
      label: path,
      path,
      bytes: Buffer.byteLength(text),
      ...weightOf(count?.(text)),
      ...(notes.length > 0 && { notes: [...notes] }),
    })),
  };
}

interface WorkspaceFile {
  readonly path: string;
  readonly text: CleanText;
  readonly notes: readonly Message[];
}

/** Threats D2: nothing in such a file is followed that a person could not see. */
async function workspaceFiles({ workspace, files }: OpeningDeps): Promise<WorkspaceFile[]> {
  const found: WorkspaceFile[] = [];
  const signal = AbortSignal.timeout(maxSeconds * 1000);
  for (const folder of workspace.folders) {
    const path = pathOf({ folder, path: fileName }, workspace.folders);
    // Most workspaces have none; one that cannot be read is none, too.
    const file = await untilAborted(files.read(path, signal), signal).catch(() => undefined);
    if (file === undefined || file.text.trim() === "") continue;
    const whole = visible(file.text);
    const cut = cutText(whole, maxBytes, "beginning");
    const { text, removed } = takeOutSecrets(cut);
    const notes = [
      ...(hidesCharacters(file.text) ? [message("noteWritten")] : []),
      ...(file.removed + removed > 0 ? [secretsNote(file.removed + removed)] : []),
      ...(cut !== whole ? [message("noteBeginning")] : []),
    ];
    found.push({ path, text, notes });
  }
  return found;
}

type Change =
  | {
      readonly kind: "tools";
      readonly tools: readonly string[];
      /** For people: what is different from now on. */
      readonly notes: readonly Message[];
    }
  /** There were no tools, as where a workspace was not trusted yet: all of it is to be made again. */
  | { readonly kind: "opening"; readonly notes: readonly Message[] };

/**
 * What the user has changed since: search on or off, or tools that were not offered yet. What has merely gone –
 * another extension may still be starting – stays, so that nothing but the user moves these bytes.
 */
function changeOf(
  tools: readonly string[],
  { offered, wantsSearch }: Pick<OpeningDeps, "offered" | "wantsSearch">,
): Change | undefined {
  const own = tools.filter((tool) => tool !== webSearch);
  const known = new Map(own.map((raw) => [nameOf(raw), raw]));
  const fresh = offered.filter((raw) => !holds(known.get(nameOf(raw)), raw));
  const searched = tools.includes(webSearch);
  if (fresh.length === 0 && searched === wantsSearch) return undefined;
  const replaced = new Map([...known, ...fresh.map((raw) => [nameOf(raw), raw] as const)]);
  const search = wantsSearch ? message("noteSearchOn") : message("noteSearchOff");
  const notes = [
    ...(fresh.length > 0 ? [message("noteTools")] : []),
    ...(searched === wantsSearch ? [] : [search]),
    startsAnew,
  ];
  if (own.length === 0 && fresh.length > 0) return { kind: "opening", notes };
  return {
    kind: "tools",
    tools: [...replaced.values(), ...(wantsSearch ? [webSearch] : [])],
    notes,
  };
}

const nameOf = (raw: string): string => asString(asObject(parseJson(raw))?.["name"]) ?? "";

/** A namespace that has grown is another one; a definition that was merely reworded is not. */
function holds(known: string | undefined, wanted: string): boolean {
  if (known === undefined) return false;
  const inner = (raw: string) =>
    asArray(asObject(parseJson(raw))?.["tools"]).map((tool) => asString(asObject(tool)?.["name"]));
  const names = new Set(inner(known));
  return inner(wanted).every((name) => names.has(name));
}
