// What a person can set about turns. Read at the start of each turn; the shell fills it in from VS Code.
import { builtInModels, type Model } from "../conversation/models.ts";
import type { Chosen } from "../conversation/record.ts";
import type { SavedPrompt } from "../conversation/saved-prompt.ts";
import type { PrivacySettings } from "../files/privacy.ts";
import type { ProtectionSettings } from "../files/protected-files.ts";
import type { ToolSettings } from "../tools/tool-table.ts";
import type { InstructionSettings } from "../turn/instructions.ts";
import type { TurnLimits } from "../turn/turn-request.ts";

export interface ConversationSettings {
  readonly models: readonly Model[];
  readonly tools: ToolSettings;
  readonly privacy: PrivacySettings;
  /** Files that a patch changes only after a person was asked, whatever else is set. */
  readonly protection: ProtectionSettings;
  readonly limits: TurnLimits;
  /** Offers the service's web search where the user has chosen nothing else for the conversation. */
  readonly webSearch: boolean;
  /** How many uncached tokens may be sent unasked; `null`: any number. */
  readonly askAboveTokens: number | null;
  readonly instructions: InstructionSettings;
  /** The user's own ways to ask. */
  readonly prompts: readonly SavedPrompt[];
  /** Most bytes of one attached text. */
  readonly attachmentBytes: number;
}

export const defaultConversationSettings: ConversationSettings = {
  models: builtInModels,
  tools: { user: new Map(), workspace: new Map() },
  privacy: { ignore: [], alsoIgnore: [] },
  protection: { own: [], also: [] },
  limits: { steps: 25 },
  webSearch: false,
  askAboveTokens: 200_000,
  instructions: { user: "", workspaceFile: true },
  prompts: [],
  attachmentBytes: 512 * 1024,
};

/** What the user has chosen for a conversation comes before what is set for all. */
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
