// What all views of one text share: the options of its owner, the parser, link definitions and deferred work.

import type { EditorColours } from "./code/editor-colours.ts";
import type { DeferredWork } from "./deferred-work.ts";
import type { AskForDiagram } from "./diagrams/diagram-blocks.ts";
import type { Isolation } from "./direction.ts";
import type { CodeAction, MarkdownLabels } from "./markdown-view.ts";
import type { NodeWindows } from "./node-window.ts";
import type { References } from "./parse/link-definitions.ts";
import type { Parser } from "./parse/parser.ts";

export interface MarkdownContext {
  readonly parser: Parser;
  readonly references: References;
  readonly work: DeferredWork;
  /** Source of the editor's code colours, in a page that belongs to an editor. */
  readonly editorColours: EditorColours | undefined;
  readonly labels: MarkdownLabels;
  /** Each block determines its own direction. */
  readonly autoDirection: boolean;
  readonly isolation: Isolation;
  /** A long list, quote or code block is partly in the document, too. */
  readonly windows: NodeWindows;
  /** File references are drawn as buttons. */
  readonly opensFiles: boolean;
  readonly codeActions: readonly CodeAction[];
  readonly askForDiagram: AskForDiagram | undefined;
  act(action: string, code: string, language: string): void;
}
