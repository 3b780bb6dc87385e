// Dependencies that all conversations of a window share: the service, the files, the settings, counting and observers.

import type { CheckHost } from "../checks/check.ts";
import type { CommandHost } from "../commands/command-host.ts";
import type { Chosen, Content, Opened } from "../conversation/events.ts";
import type { Message } from "../conversation/messages.ts";
import { builtInModels, type Model } from "../conversation/models.ts";
import type { TokenCount } from "../conversation/state.ts";
import type { PrivacySettings, ProtectionSettings } from "../files/privacy.ts";
import type { Workspace } from "../files/workspace.ts";
import type { EarlierExchange, Exchange, ExchangeOwner } from "../inspect/exchanges.ts";
import type { FileName } from "../patch/model.ts";
import type { ServiceClient } from "../service/service-client.ts";
import type { ApprovedTools, HostTool, ToolSettings } from "../tools/tool-table.ts";
import type { Log } from "../util/log.ts";
import type { WorkspaceAgents } from "./internal/custom-agents.ts";
import type { InstructionConsent } from "./internal/instruction-consent.ts";
import type { InstructionSettings } from "./internal/opening.ts";
import type { TurnLimits } from "./internal/turn-request.ts";
import type { SavedPrompt, WorkspacePrompts } from "./slash-commands.ts";
import type { RequestCounts, SpendPrices } from "./spend-guard.ts";

/** A skill of the person's own, outside of every workspace. */
export interface PersonalSkill {
  /** The name of its folder. */
  readonly folder: string;
  /** As it is shown: `~/.agents/skills/review/SKILL.md`. */
  readonly path: string;
  readonly text: string;
}

export interface SessionContext {
  readonly client: ServiceClient;
  readonly workspace: Workspace;
  readonly log: Log;
  settings(): ConversationSettings;
  /** The model of a conversation that has none yet. */
  defaultModel(): string;
  /** The current tools of other extensions and MCP servers. */
  hostTools(): readonly HostTool[];
  /** The tools that may run without asking, by their identity. */
  readonly approvedTools: ApprovedTools;
  /** Saved prompts in the workspace. */
  readonly prompts: WorkspacePrompts;
  /** Custom agents of the workspace, to choose from. */
  readonly agents: WorkspaceAgents;
  /** What a person has agreed to of what the workspace's files say to models. */
  readonly consent: InstructionConsent;
  /** The skills of the person's own folders; absent: there is nowhere to look. */
  personalSkills?(): Promise<readonly PersonalSkill[]>;
  /** Runs the person's own checks; absent: checks cannot run. */
  readonly checkHost?: CheckHost | undefined;
  /** What the person allows of commands; absent: none can run. */
  readonly commandHost?: CommandHost | undefined;
  /** What a person has in front of them in the editor, and what has changed since a given time; absent if unknown. */
  readonly lookAtEditor?: ((since: number) => EditorLook) | undefined;
  /** Estimates the tokens of whole requests. */
  readonly counts: RequestCounts;
  /** Estimates the tokens of an attachment, where possible without asking the service. */
  countTokens(content: Content, model: string): TokenCount | undefined;
  /** Computes what a large request would cost. */
  readonly prices: SpendPrices;
  /**
   * Called when a request of this turn got its reply. Returns the last one of this conversation that was answered
   * before; `undefined` if this window no longer has it.
   */
  exchanged(owner: ExchangeOwner, exchange: Exchange): EarlierExchange | undefined;
  /** Called when a file was not read because of one of its names. */
  heldBack(paths: readonly string[]): void;
  now(): number;
  newId(): string;
}

/** 1-based and inclusive. */
export interface LookedLines {
  readonly first: number;
  readonly last: number;
}

export interface EditorLook {
  readonly active?: {
    readonly file: FileName;
    /** The selection, or the line of the cursor. */
    readonly at: LookedLines;
    readonly visible?: LookedLines | undefined;
  };
  /** Latest last. */
  readonly changed: readonly FileName[];
}

/** A file of which a model is told something by itself, and when. */
export interface ToldFile {
  readonly path: string;
  readonly when: "always" | "fitting" | "needed" | "chosen" | "used";
  /** Of the files that it fits. */
  readonly applyTo?: string | undefined;
  /** What a person should know of it. */
  readonly notes: readonly Message[];
  /** Whether a person has agreed to its text; without that nothing of it is sent. */
  readonly isAgreed: boolean;
}

export interface ToldFiles {
  readonly files: readonly ToldFile[];
  /** How many files of a kind are not read, because there are so many. */
  readonly left: { readonly rules: number; readonly skills: number; readonly agents: number };
  /** How many skills are read but not listed for a model, because their descriptions are too long together. */
  readonly unlisted: number;
}

export interface KeptTurn {
  readonly opened: Opened | undefined;
  /** The raw items before the turn. */
  readonly before: readonly string[];
  /** The raw items it added: the question, then replies and tool outputs. */
  readonly asked: readonly string[];
  readonly items: readonly string[];
}

/** Settings for turns. They are read at the start of each turn; the part of the editor fills them in from VS Code. */
export interface ConversationSettings {
  readonly models: readonly Model[];
  readonly tools: ToolSettings;
  readonly privacy: PrivacySettings;
  /** Files that a patch changes only after confirmation, whatever else is set. */
  readonly protection: ProtectionSettings;
  /** Patterns of files whose edits are accepted without a review if nothing speaks against it. */
  readonly autoAccept: readonly string[];
  readonly limits: TurnLimits;
  /** Offers the service's web search unless the user has chosen otherwise for the conversation. */
  readonly webSearch: boolean;
  /** How many uncached tokens may be sent without asking; `null`: any number. */
  readonly askAboveTokens: number | null;
  /** How many tokens a question may use before a person is asked whether to continue; `null`: any number. */
  readonly stopRunAboveTokens: number | null;
  readonly instructions: InstructionSettings;
  /** Facts about the workspace and the editor that are sent without being attached. */
  readonly surroundings: readonly SurroundingPart[];
  /** The user's saved prompts. */
  readonly prompts: readonly SavedPrompt[];
  /** Maximum size of one attached text, in bytes. */
  readonly attachmentBytes: number;
}

export const defaultConversationSettings: ConversationSettings = {
  models: builtInModels,
  tools: { user: new Map(), workspace: new Map() },
  privacy: { ignore: [], alsoIgnore: [] },
  protection: { own: [], also: [] },
  autoAccept: [],
  limits: { steps: 25 },
  webSearch: false,
  askAboveTokens: 200_000,
  stopRunAboveTokens: null,
  instructions: { user: "", workspaceFile: true },
  surroundings: [],
  prompts: [],
  attachmentBytes: 512 * 1024,
};

/** What the user chose for a conversation takes precedence over the settings. */
export function limitsOf(
  { cacheTtl, outputTokens, effort: set, ...limits }: TurnLimits,
  { cacheTier = cacheTtl, outputLimit = outputTokens, effort = set, json }: Chosen,
): TurnLimits {
  return {
    ...limits,
    ...(cacheTier !== undefined && cacheTier !== "default" && { cacheTtl: cacheTier }),
    ...(typeof outputLimit === "number" && { outputTokens: outputLimit }),
    ...(effort && { effort }),
    ...(json && { json }),
  };
}

/**
 * The parts of the surroundings that a model may be told without being asked, as named in the setting. `editor`: the
 * active file, its selection and visible lines, and files changed since the last question; sent with each question.
 */
export const surroundingParts = ["folders", "tree", "system", "languages", "checks", "editor"] as const;
export type SurroundingPart = (typeof surroundingParts)[number];
