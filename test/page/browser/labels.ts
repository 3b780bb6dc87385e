import type { MarkdownLabels } from "../../../src/page/markdown/markdown-view.ts";

/** The renderer's words, where no page gives it others. */
export const sampleLabels: MarkdownLabels = {
  plainText: "Text",
  wrap: "Wrap lines",
  fold: "Fold",
  codeActions: "Actions on this code",
  table: "Table",
  moreTable: "Table truncated. Copy the response to get all of it.",
  done: "Done",
  notDone: "Not done",
  hidden: "Hidden character",
  away: (words) => `Shown when you get here: ${words}…`,
  codeName: (language, lines) => `${language ?? "Text"} code${lines === undefined ? "" : `, ${lines} lines`}`,
  notOpened: (address) => `Not opened: ${address}`,
  openFile: (path, line) => (line === undefined ? `Open ${path}` : `Open ${path} at line ${line}`),
};
