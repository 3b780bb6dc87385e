// A thread below each finding of an editor that can be seen: what is wrong, how to do it better, Fix and Dismiss. They have a
// controller of their own: those of proposed changes are asked and answered, these are only told.
import * as vscode from "vscode";
import { onDidChangeVisibleEditors, visibleEditors } from "../editors.ts";
import { comment, modelWords } from "../threads/thread-talk.ts";
import type { Finding, FindingList } from "./finding-list.ts";
import { labelOf } from "./words.ts";

export interface FindingThreads extends vscode.Disposable {
  /** Only a thread of ours has one. */
  findingOf(thread: unknown): Finding | undefined;
}

/** How `when` clauses of the manifest name them. */
const controllerId = "patchbayFindings";

/** `opened`: for tests, since the editor tells nobody which threads it shows. */
export function createFindingThreads(
  findings: Pick<FindingList, "all" | "onDidChange">,
  opened: (thread: vscode.CommentThread) => void = () => undefined,
): FindingThreads {
  let controller: vscode.CommentController | undefined;
  const threads = new Map<Finding, vscode.CommentThread>();

  function open(finding: Finding, line: number): vscode.CommentThread {
    // Not before it is needed: VS Code shows a view of comments for whoever has a controller.
    controller ??= vscode.comments.createCommentController(controllerId, "Patchbay");
    // Of no width: the lines of a longer range are tinted.
    const thread = controller.createCommentThread(
      finding.uri,
      new vscode.Range(line, 0, line, 0),
      commentsOf(finding),
    );
    thread.canReply = false;
    thread.contextValue = "finding";
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    opened(thread);
    return thread;
  }

  function refresh(): void {
    const visible = new Set(visibleEditors().map(({ document }) => document.uri.toString()));
    const wanted = new Set(findings.all.filter(({ uri }) => visible.has(uri.toString())));
    for (const [finding, thread] of threads) {
      if (wanted.has(finding)) continue;
      threads.delete(finding);
      thread.dispose();
    }
    for (const finding of wanted) {
      const { lines } = finding;
      // The editor moves what is there already; once its lines are gone it stays to say so.
      const thread = threads.get(finding) ?? (lines && open(finding, lines.last));
      if (thread === undefined) continue;
      threads.set(finding, thread);
      const label = labelOf(finding);
      if (thread.label !== label) thread.label = label;
    }
  }

  refresh();
  const listening = vscode.Disposable.from(findings.onDidChange(refresh), onDidChangeVisibleEditors(refresh));
  return {
    findingOf: (argument) => [...threads].find(([, thread]) => thread === argument)?.[0],
    dispose() {
      listening.dispose();
      for (const thread of threads.values()) thread.dispose();
      controller?.dispose();
    },
  };
}

const commentsOf = ({ suggestion }: Finding): vscode.Comment[] =>
  suggestion === undefined ? [] : [comment(vscode.l10n.t("Suggestion"), modelWords(suggestion))];
