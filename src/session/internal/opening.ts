// The opening of a conversation: the instructions, the tools and the workspace's own instruction file (AGENTS.md), which
// every request of the conversation begins with.
import type { CleanText, Opened } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Route } from "../../conversation/models.ts";
import { type AttachmentView, type TokenCount, weightOf } from "../../conversation/state.ts";
import type { GuardedFiles } from "../../files/guarded-files.ts";
import { secretsNote, takeOutSecrets } from "../../files/privacy.ts";
import { pathOf } from "../../files/refusal.ts";
import type { Workspace } from "../../files/workspace.ts";
import { cutText } from "../../tools/attached-text.ts";
import { webSearch } from "../../tools/tool-table.ts";
import { hidesCharacters, visible } from "../../util/hidden-characters.ts";
import { asArray, asObject, asString, parseJson } from "../../util/json.ts";
import { raceAbort } from "../../util/time.ts";
import { cacheRestartNote } from "./history.ts";
import { instructionsOf } from "./instructions.ts";
import type { FrozenPrefix } from "./turn-request.ts";

interface OpeningDeps {
  readonly workspace: Workspace;
  readonly files: GuardedFiles;
  /** Raw definitions of the tools that are allowed now. */
  readonly offered: readonly string[];
  readonly wantsSearch: boolean;
  readonly standing: InstructionSettings;
  /** Describes the workspace; absent: nothing is said about it. */
  surroundings?(): Promise<CleanText | undefined>;
  /** Estimates the tokens of a text, for its chip. */
  count?(text: string): TokenCount | undefined;
}

export interface InstructionSettings {
  /** The user's own instructions for every conversation. */
  readonly user: string;
  /** Whether the workspace's instruction file is read. */
  readonly workspaceFile: boolean;
}

interface Opening {
  readonly frozen: Omit<Opened, "type" | "at" | "cacheId">;
  /** The files that were read for it, shown with the first question. */
  readonly chips: readonly AttachmentView[];
}

const fileName = "AGENTS.md";
/** Sent with every request, so of a longer file the model gets the beginning and a list of the other sections. */
const maxBytes = 16 * 1024;
const maxSections = 40;
const longestSection = 80;
/** How many characters after the beginning are searched for sections. */
const longestRest = 256 * 1024;
/** From this size on, the chip tells that every request carries it. */
const bytesWorthKnowing = 12 * 1024;
/** Used if nobody counts tokens. */
const bytesPerToken = 4;
const maxSeconds = 10;

export interface SettledOpening {
  readonly opened: Opened;
  readonly isNew: boolean;
  readonly chips: readonly AttachmentView[];
  /** Tells the person what has changed. */
  readonly notes: readonly Message[];
}

/**
 * The opening of a conversation: instructions and tools. It is created once and stays the same, byte for byte, until
 * the user changes what is offered. That is noted, because it invalidates the cached prefix.
 */
export async function settleOpening(
  known: Opened | undefined,
  deps: OpeningDeps,
  fresh: Pick<Opened, "at" | "cacheId">,
): Promise<SettledOpening> {
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

/** The opening for one kind of model. */
export function frozenFor(route: Route, opened: Opened): FrozenPrefix {
  const { instructions, chatInstructions, tools, cacheId } = opened;
  return route === "responses"
    ? { instructions, tools, cacheId }
    : { instructions: chatInstructions, tools: [], cacheId };
}

async function createOpening(deps: OpeningDeps): Promise<Opening> {
  const { workspace, offered, wantsSearch, standing, count } = deps;
  const found = workspace.trusted && standing.workspaceFile ? await workspaceFiles(deps) : [];
  const surroundings = await deps.surroundings?.();
  const workspaceWords = found.map(({ path, text }) => ({ path, text }));
  const all = { user: standing.user, surroundings, workspace: workspaceWords };
  const names = offered.map(nameOf);
  return {
    frozen: {
      instructions: instructionsOf({ tools: names, patchesInText: false }, all),
      // If patches may be proposed at all, a model without tools writes them in its response.
      chatInstructions: instructionsOf({ tools: [], patchesInText: names.includes("apply_patch") }, all),
      tools: [...offered, ...(wantsSearch ? [webSearch] : [])],
    },
    chips: found.map((file) => chipOf(file, count?.(file.text))),
  };
}

/** Above a certain size the chip states how many tokens each request carries. */
function chipOf({ path, text, notes }: WorkspaceFile, count: TokenCount | undefined): AttachmentView {
  const bytes = Buffer.byteLength(text);
  const tokens = count?.tokens ?? Math.round(bytes / bytesPerToken);
  const all = [...notes, ...(bytes > bytesWorthKnowing ? [message("noteEachRequest", { tokens })] : [])];
  return {
    kind: "instructions",
    label: path,
    path,
    bytes,
    ...weightOf(count),
    ...(all.length > 0 && { notes: all }),
  };
}

interface WorkspaceFile {
  readonly path: string;
  readonly text: CleanText;
  readonly notes: readonly Message[];
}

/** Threats D2: hidden characters are written out, so that the model follows nothing a person could not see. */
async function workspaceFiles({ workspace, files }: OpeningDeps): Promise<WorkspaceFile[]> {
  const found: WorkspaceFile[] = [];
  const signal = AbortSignal.timeout(maxSeconds * 1000);
  for (const folder of workspace.folders) {
    const path = pathOf({ folder, path: fileName }, workspace.folders);
    // Most workspaces have none; one that cannot be read counts as missing.
    const file = await raceAbort(files.read(path, signal), signal).catch(() => undefined);
    if (file === undefined || file.text.trim() === "") continue;
    const whole = visible(file.text);
    const cut = wholeLines(cutText(whole, maxBytes, "beginning"), whole);
    const { text, removed } = takeOutSecrets(cut + restOf(path, cut, whole));
    const notes = [
      ...(hidesCharacters(file.text) ? [message("noteWritten")] : []),
      ...(file.removed + removed > 0 ? [secretsNote(file.removed + removed)] : []),
      ...(cut !== whole ? [message("noteBeginning")] : []),
    ];
    found.push({ path, text, notes });
  }
  return found;
}

/** Cuts at the end of a line, because half a sentence may say the opposite. */
function wholeLines(cut: string, whole: string): string {
  if (cut === whole) return cut;
  const end = cut.lastIndexOf("\n") + 1;
  return end > 0 ? cut.slice(0, end) : cut;
}

/** States what was cut off and where it can be read. */
function restOf(path: string, cut: string, whole: string): string {
  if (cut === whole) return "";
  const next = cut.split("\n").length;
  const sections = sectionsOf(whole.slice(cut.length, cut.length + longestRest), next);
  const named = sections === "" ? "" : ` Read there what your task needs: ${sections}.`;
  return `${cut.endsWith("\n") ? "" : "\n"}[Only the beginning of ${path} is shown. The rest begins at line ${next}.${named}]`;
}

/** The headings of a text with their line numbers; `first`: the number of its first line. */
function sectionsOf(text: string, first: number): string {
  const headings: string[] = [];
  let isCode = false;
  for (const [at, line] of text.split("\n").entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, name] = (!isCode && /^#{1,3} +(\S.*)/.exec(line.slice(0, longestSection))) || [];
    if (name !== undefined) headings.push(`${first + at} ${name.trim()}`);
  }
  const more = headings.length - maxSections;
  return [...headings.slice(0, maxSections), ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

type Change =
  | {
      readonly kind: "tools";
      readonly tools: readonly string[];
      /** Tells the person what has changed. */
      readonly notes: readonly Message[];
    }
  /** There were no tools, as in a workspace that was not trusted yet: the opening is created again. */
  | { readonly kind: "opening"; readonly notes: readonly Message[] };

/**
 * What the user has changed since: web search, or tools that were not offered before. Tools that have merely
 * disappeared are kept – another extension may still be starting – so that only the user changes these bytes.
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
    cacheRestartNote,
  ];
  if (own.length === 0 && fresh.length > 0) return { kind: "opening", notes };
  return {
    kind: "tools",
    tools: [...replaced.values(), ...(wantsSearch ? [webSearch] : [])],
    notes,
  };
}

const nameOf = (raw: string): string => asString(asObject(parseJson(raw))?.["name"]) ?? "";

/** A namespace with additional tools is different; a definition that was only reworded is not. */
function holds(known: string | undefined, wanted: string): boolean {
  if (known === undefined) return false;
  const inner = (raw: string) =>
    asArray(asObject(parseJson(raw))?.["tools"]).map((tool) => asString(asObject(tool)?.["name"]));
  const names = new Set(inner(known));
  return inner(wanted).every((name) => names.has(name));
}
