// Findings as a comment for a pull request, in Markdown.
import { codeSpan, harmlessMarkdown, withoutTabs } from "../../util/harmless-markdown.ts";
import { visible, visibleName } from "../../util/hidden-characters.ts";
import type { LineSpan } from "../follow-lines.ts";
import type { ReportedFinding } from "./read-findings.ts";

interface Comment extends Pick<ReportedFinding, "file" | "reason" | "suggestion"> {
  /** In the reader's language. */
  readonly severity: string;
  /** `undefined`: the lines no longer exist. */
  readonly lines: LineSpan | undefined;
}

/**
 * Formats findings as Markdown for comments on a pull request: one paragraph each, with its place. Text from a model
 * and file names are escaped so that they load and hide nothing.
 */
export const asComments = (findings: readonly Comment[]): string =>
  findings
    .map(({ file, lines, severity, reason, suggestion }) => {
      const place = codeSpan(visibleName(lines === undefined ? file : `${file}:${numbersOf(lines)}`));
      // One line, so that a fence in the reason cannot begin a code block.
      const point = harmlessMarkdown(
        `- ${place} **${severity}**: ${visible(reason).replaceAll(/\s+/g, " ")}`,
      );
      const better =
        suggestion === undefined ? "" : `\n\n${indented(harmlessMarkdown(withoutTabs(visible(suggestion))))}`;
      return `${point}${better}\n`;
    })
    .join("\n");

const numbersOf = ({ first, last }: LineSpan): string =>
  first === last ? `${first + 1}` : `${first + 1}-${last + 1}`;

/** Indents the continuation lines of a list item. */
const indented = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");
