// What the editor finds wrong where an action is meant: at the cursor or in what is selected; where nothing is, in the whole
// file. The words are those of language servers; whether they may be sent is decided by whoever asks.
import * as vscode from "vscode";
import type { CodePlace } from "./edit-commands.ts";

/** So many are named in the question; the problems that are attached are all of them. */
const maxNamed = 20;
const maxWords = 200;

/** Without its line breaks, which are no end of it. */
export const problemWords = ({ message }: vscode.Diagnostic): string =>
  message.replace(/\s+/g, " ").trim().slice(0, maxWords);

/** Nothing: the editor finds nothing wrong. */
export function problemsHere({
  document,
  range,
}: CodePlace): Required<Pick<CodePlace, "range" | "problem">> | undefined {
  const all = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ severity }) => severity !== vscode.DiagnosticSeverity.Hint)
    .toSorted((one, other) => one.range.start.compareTo(other.range.start));
  const isHere = ({ range: { start, end } }: vscode.Diagnostic) =>
    start.line <= range.end.line && end.line >= range.start.line;
  const here = all.filter(isHere);
  const named = (here.length > 0 ? here : all).slice(0, maxNamed);
  const [first, ...others] = named;
  if (first === undefined) return undefined;
  const words = others.length === 0 ? problemWords : withLine;
  const problem = named.map(words).join("\n");
  if (here.length > 0) return { range, problem };
  return { range: others.reduce((whole, each) => whole.union(each.range), first.range), problem };
}

const withLine = (problem: vscode.Diagnostic): string =>
  `${vscode.l10n.t("line {0}", problem.range.start.line + 1)}: ${problemWords(problem)}`;
