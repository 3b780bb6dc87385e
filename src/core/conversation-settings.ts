// What a person can set about turns. Read at the start of each turn; the shell fills it in from VS Code.
import type { PrivacySettings } from "./tools/privacy.ts";
import type { ToolSettings } from "./tools/tool-table.ts";
import type { TurnLimits } from "./turn/turn-request.ts";

export interface ConversationSettings {
  readonly tools: ToolSettings;
  readonly privacy: PrivacySettings;
  readonly limits: TurnLimits;
  /** Offers the service's web search in conversations that begin now. */
  readonly webSearch: boolean;
}

export const defaultConversationSettings: ConversationSettings = {
  tools: { user: new Map(), workspace: new Map() },
  privacy: { ignore: [], alsoIgnore: [] },
  limits: { steps: 25 },
  webSearch: false,
};
