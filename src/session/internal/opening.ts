// The opening of a conversation, which every request begins with: the instructions, the workspace's own ones, the tools.
import type { CleanText, Opened } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Route } from "../../conversation/models.ts";
import type { AttachmentView, TokenCount } from "../../conversation/state.ts";
import { nameOfReadSkill, nameOfRunCommand, webSearch } from "../../tools/tool-table.ts";
import { asArray, asObject, asString, parseJson } from "../../util/json.ts";
import type { CustomAgent } from "./custom-agents.ts";
import { cacheRestartNote } from "./history.ts";
import type { InstructionFile } from "./instruction-files.ts";
import { instructionsOf, withoutCommands } from "./instructions.ts";
import { type Skill, skillChips } from "./skills.ts";
import { callsInText, conversationTools } from "./text-calls.ts";
import { instructionsChip } from "./told-instructions.ts";
import type { FrozenPrefix } from "./turn-request.ts";

interface OpeningDeps {
  /** What the workspace's files say, as far as a person has agreed to it. */
  workspaceInstructions(): Promise<readonly InstructionFile[]>;
  /** Those that a person has agreed to. */
  readonly skills?: readonly Skill[];
  /** The one that a person has chosen and agreed to. */
  readonly agent?: CustomAgent | undefined;
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
  const change = known && changeOf(known, deps);
  if (known !== undefined && change === undefined)
    return { opened: known, isNew: false, chips: [], notes: [] };
  const notes = change?.notes ?? [];
  if (known !== undefined && change?.kind === "tools")
    return { opened: { ...known, at: fresh.at, tools: change.tools }, isNew: true, chips: [], notes };
  const { frozen, chips } = await createOpening(deps);
  const opened: Opened = { type: "opened", ...fresh, ...frozen, ...(known && { cacheId: known.cacheId }) };
  return { opened, isNew: true, chips, notes };
}

/**
 * The opening for one kind of model; the interface shows no tools for chat models, so theirs are told in words.
 * `hasCommands`: whether such a model may run commands, too.
 */
export function frozenFor(
  route: Route,
  { instructions, tools, cacheId }: Opened,
  hasCommands = true,
): FrozenPrefix {
  if (route === "responses") return { instructions, tools, cacheId };
  const allowed = hasCommands ? tools : tools.filter((raw) => nameOf(raw) !== nameOfRunCommand);
  const inText = callsInText(allowed, cacheId);
  const own =
    allowed.length === tools.length ? instructions : withoutCommands(instructions, tools.map(nameOf));
  const told = inText === undefined ? own : `${own}\n\n${conversationTools(inText)}`;
  return { instructions: told, tools: [], cacheId, inText };
}

async function createOpening(deps: OpeningDeps): Promise<Opening> {
  const { offered, wantsSearch, standing, count, skills = [], agent } = deps;
  const workspace = standing.workspaceFile ? await deps.workspaceInstructions() : [];
  const surroundings = await deps.surroundings?.();
  const all = { user: standing.user, surroundings, workspace, skills, agent };
  const names = offered.map(nameOf);
  return {
    frozen: {
      instructions: instructionsOf(names, all),
      tools: [...offered, ...(wantsSearch ? [webSearch] : [])],
      ...(agent && { agent: frozenAgent(agent) }),
    },
    chips: [
      ...[...workspace, ...(agent === undefined ? [] : [agent])].map((file) =>
        instructionsChip(file, count?.(file.text)),
      ),
      ...(names.includes(nameOfReadSkill) ? skillChips(skills) : []),
    ],
  };
}

/**
 * Whether what a conversation begins with is created with the next question, or may be created again because it had no
 * tools. An agent that had no tools keeps its text.
 */
export const mayBeOpened = (opened: Opened | undefined): boolean =>
  opened?.agent === undefined && ownTools(opened?.tools ?? []).length === 0;

const ownTools = (tools: readonly string[]): readonly string[] => tools.filter((tool) => tool !== webSearch);

/** What a conversation keeps of its agent beside the text. */
const frozenAgent = ({ name, path, tools }: CustomAgent): NonNullable<Opened["agent"]> => ({
  name,
  path,
  ...(tools && { tools: [...tools] }),
});

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
  known: Opened,
  { offered, wantsSearch }: Pick<OpeningDeps, "offered" | "wantsSearch">,
): Change | undefined {
  const { tools } = known;
  const own = new Map(ownTools(tools).map((raw) => [nameOf(raw), raw]));
  const fresh = offered.filter((raw) => !holds(own.get(nameOf(raw)), raw));
  const searched = tools.includes(webSearch);
  if (fresh.length === 0 && searched === wantsSearch) return undefined;
  const replaced = new Map([...own, ...fresh.map((raw) => [nameOf(raw), raw] as const)]);
  const search = wantsSearch ? message("noteSearchOn") : message("noteSearchOff");
  const notes = [
    ...(fresh.length > 0 ? [message("noteTools")] : []),
    ...(searched === wantsSearch ? [] : [search]),
    cacheRestartNote,
  ];
  if (fresh.length > 0 && mayBeOpened(known)) return { kind: "opening", notes };
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
