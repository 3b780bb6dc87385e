// The findings, assembled: list, threads, rows, and the commands except for fixing.
import * as vscode from "vscode";
import { HumanError } from "../../conversation/messages.ts";
import type { CodePlace } from "../../editor/actions/edit-commands.ts";
import { commands } from "../../editor/manifest.ts";
import { showInformation } from "../../editor/notify.ts";
import { inGroups } from "../internal/finding-order.ts";
import { asComments } from "../internal/findings-markdown.ts";
import { type Finding, FindingList, severityWord } from "./internal/finding-list.ts";
import { createFindingThreads } from "./internal/finding-threads.ts";
import { createFindingRows, type FindingNode } from "./internal/finding-tree.ts";

export type Findings = ReturnType<typeof createFindings>;

/** `opened`: for tests, since VS Code does not list its threads. */
export function createFindings(opened?: (thread: vscode.CommentThread) => void) {
  const t = vscode.l10n.t;
  const list = new FindingList();
  const threads = createFindingThreads(list, opened);
  const rows = createFindingRows(list);

  /** Only rows and threads handed out here are accepted (threats A8). */
  function nodeOf(argument: unknown): FindingNode | undefined {
    const finding = threads.findingOf(argument);
    if (finding !== undefined) return { kind: "finding", finding };
    const withBelow = (row: FindingNode): readonly FindingNode[] => [
      row,
      ...rows.below(row).flatMap(withBelow),
    ];
    return rows.roots.flatMap(withBelow).find((row) => row === argument);
  }

  return {
    list,
    rows,
    onDidChange: list.onDidChange,
    /** Where a finding is to be fixed, given its thread. */
    placeOf(argument: unknown): CodePlace | undefined {
      const finding = threads.findingOf(argument);
      if (finding === undefined) return undefined;
      const { uri, lines } = finding;
      const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
      if (document === undefined || lines === undefined)
        throw new HumanError(t("The code of this finding no longer exists."));
      list.expectFix(finding);
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
        else if (node?.kind === "unproven") list.dismiss(inGroups(list.all).unproven);
        else if (node?.kind === "resolved") list.dismiss(inGroups(list.all).resolved);
        else if (node?.kind === "finding") list.dismiss([node.finding]);
      },
      [commands.copyFindings]: async (): Promise<void> => {
        // Unproven findings are not posted as comments for colleagues.
        const { proven, unproven } = inGroups(list.all);
        if (proven.length + unproven.length === 0) throw new HumanError(t("There are no findings to copy."));
        if (proven.length === 0) throw new HumanError(t("All findings are unproven, so none was copied."));
        const comments = proven.map((each) => ({ ...each, severity: severityWord(each.severity) }));
        await vscode.env.clipboard.writeText(asComments(comments));
        const isAll = unproven.length === 0;
        void showInformation(
          isAll
            ? t("Findings copied as Markdown.")
            : t("Findings copied as Markdown, without those that are unproven."),
        );
      },
    },
    dispose: () => vscode.Disposable.from(threads, list).dispose(),
  };
}

const problemOf = ({ reason, suggestion }: Finding): string =>
  suggestion === undefined ? reason : `${reason} ${suggestion}`;
