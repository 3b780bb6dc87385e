// Findings as Markdown, for the comments of a pull request: one paragraph each, with its place. Pure.
import type { Reported } from "./read-findings.ts";
import type { Lines } from "./track-finding.ts";

export interface Comment extends Pick<Reported, "file" | "reason" | "suggestion"> {
  /** In the reader's language. */
  readonly severity: string;
  /** `undefined`: its lines are gone. */
  readonly lines: Lines | undefined;
}

export const asComments = (findings: readonly Comment[]): string =>
  findings
    .map(({ file, lines, severity, reason, suggestion }) => {
      const place = lines === undefined ? file : `${file}:${numbersOf(lines)}`;
      const better = suggestion === undefined ? "" : `\n\n${indented(suggestion)}`;
      return `- \`${place}\` **${severity}**: ${reason}${better}\n`;
    })
    .join("\n");

const numbersOf = ({ first, last }: Lines): string =>
  first === last ? `${first + 1}` : `${first + 1}-${last + 1}`;

/** It goes on below its own point. */
const indented = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");
