// What every conversation of a window finds around it, and shares with the others: the service, the files, what is set, who
// counts and who looks on.

import type { ServiceClient } from "../api/service-client.ts";
import type { Workspace } from "../changes/workspace.ts";
import type { CheckHost } from "../checks/check.ts";
import type { TokenCount } from "../conversation/attachment.ts";
import type { Content } from "../conversation/content.ts";
import type { Exchange, ExchangeOwner } from "../inspect/exchanges.ts";
import type { HostTool } from "../tools/host-tool.ts";
import type { ApprovedTools } from "../tools/tool-table.ts";
import type { Log } from "../util/log.ts";
import type { ConversationSettings } from "./conversation-settings.ts";
import type { RequestCounts, SpendPrices } from "./spend-guard.ts";
import type { WorkspacePrompts } from "./workspace-prompts.ts";

export interface SessionContext {
  readonly client: ServiceClient;
  readonly workspace: Workspace;
  readonly log: Log;
  settings(): ConversationSettings;
  /** The model of a conversation that has none yet. */
  defaultModel(): string;
  /** Tools of other extensions and of MCP servers, as they are now. */
  hostTools(): readonly HostTool[];
  /** Which of them may run by themselves, by what they are. */
  readonly approvedTools: ApprovedTools;
  /** Ways to ask that lie in the workspace. */
  readonly prompts: WorkspacePrompts;
  /** Where the person's own checks run; absent: nowhere. */
  readonly checkHost?: CheckHost | undefined;
  /** Counts whole requests, about. */
  readonly counts: RequestCounts;
  /** What something attached comes to, as far as can be told without asking anybody. */
  countTokens(content: Content, model: string): TokenCount | undefined;
  /** Says what much would cost. */
  readonly prices: SpendPrices;
  /** A request of this turn has had its reply. */
  exchanged(owner: ExchangeOwner, exchange: Exchange): void;
  /** A file that was to be read was not, for one of these names of it. */
  heldBack(paths: readonly string[]): void;
  now(): number;
  newId(): string;
}
