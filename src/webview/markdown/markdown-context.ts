// What every view of one text shares: what the page's owner gave, the parser, the definitions, work that waits.
import type { DeferredWork } from "./deferred-work.ts";
import type { Isolation } from "./isolation.ts";
import type { CodeAction, MarkdownLabels } from "./markdown-view.ts";
import type { Parser } from "./parser.ts";
import type { References } from "./references.ts";

export interface MarkdownContext {
  readonly parser: Parser;
  readonly references: References;
  readonly work: DeferredWork;
  readonly labels: MarkdownLabels;
  /** Each block finds its own direction. */
  readonly autoDirection: boolean;
  readonly isolation: Isolation;
  /** File references are buttons. */
  readonly opensFiles: boolean;
  readonly codeActions: readonly CodeAction[];
  act(action: string, code: string, language: string): void;
}
