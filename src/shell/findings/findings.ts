// The room of the findings: the list, its threads and rows, and what a person does with them besides fixing.
import * as vscode from "vscode";
import { asComments } from "../../core/findings/comments.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import type { CodePlace } from "../actions/edit-commands.ts";
import { commands } from "../manifest.ts";
import { showInformation } from "../notify.ts";
import { type Finding, FindingList } from "./finding-list.ts";
import { createFindingRows, type FindingNode } from "./finding-rows.ts";
import { createFindingThreads } from "./finding-threads.ts";
import { severityWord } from "./words.ts";

export type Findings = ReturnType<typeof createFindings>;

/** `opened`: for tests, since the editor tells nobody which threads it shows. */
export function createFindings(opened?: (thread: vscode.CommentThread) => void) {
  const t = vscode.l10n.t;
  const list = new FindingList();
  const threads = createFindingThreads(list, opened);
  const rows = createFindingRows(list);

  /** Only rows and threads that were handed out here are believed (threats A8). */
  function nodeOf(argument: unknown): FindingNode | undefined {
    const finding = threads.findingOf(argument);
    if (finding !== undefined) return { kind: "finding", finding };
    const known = rows.roots.flatMap((group) => [group, ...rows.below(group)]);
    return known.find((row) => row === argument);
  }

  return {
    list,
    rows,
    onDidChange: list.onDidChange,
    /** Where a finding is to be fixed, for the thread below it. */
    placeOf(argument: unknown): CodePlace | undefined {
      const finding = threads.findingOf(argument);
      if (finding === undefined) return undefined;
      const { uri, lines } = finding;
      const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
      if (document === undefined || lines === undefined)
        throw new HumanError(t("The code of this finding no longer exists."));
      const end = document.lineAt(lines.last).range.end;
      return {
        document,
        range: new vscode.Range(new vscode.Position(lines.first, 0), end),
        problem: problemOf(finding),
      };
    },
    commands: {
      [commands.dismissFinding]: (argument: unknown): void => {
        const node = nodeOf(argument);
        if (node?.kind === "findings") list.dismissAll();
        else if (node?.kind === "finding") list.dismiss([node.finding]);
      },
      [commands.copyFindings]: async (): Promise<void> => {
        if (list.all.length === 0) throw new HumanError(t("There are no findings to copy."));
        const comments = list.all.map((each) => ({ ...each, severity: severityWord(each.severity) }));
        await vscode.env.clipboard.writeText(asComments(comments));
        void showInformation(t("Findings copied as Markdown."));
      },
    },
    dispose: () => vscode.Disposable.from(threads, list).dispose(),
  };
}

const problemOf = ({ reason, suggestion }: Finding): string =>
  suggestion === undefined ? reason : `${reason} ${suggestion}`;
