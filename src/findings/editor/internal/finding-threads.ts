// Comment threads below the findings of visible editors: the problem, the suggestion, Fix and Dismiss. They have a
// controller of their own, because they only inform, while threads of proposed changes accept replies.
import * as vscode from "vscode";
import { onDidChangeVisibleEditors, visibleEditors } from "../../../editor/text-editors.ts";
import { comment, modelMarkdown } from "../../../editor/ui/response-comment.ts";
import { openOnes } from "../../internal/finding-order.ts";
import { type Finding, type FindingList, labelOf, severityWord } from "./finding-list.ts";

interface FindingThreads extends vscode.Disposable {
  /** `undefined` for threads of other controllers. */
  findingOf(thread: unknown): Finding | undefined;
}

/** Used in `when` clauses of the manifest. */
const controllerId = "patchbayFindings";

/** `opened`: for tests, since VS Code does not list its threads. */
export function createFindingThreads(
  findings: Pick<FindingList, "all" | "onDidChange">,
  opened: (thread: vscode.CommentThread) => void = () => undefined,
): FindingThreads {
  let controller: vscode.CommentController | undefined;
  const threads = new Map<Finding, vscode.CommentThread>();

  function open(finding: Finding, line: number): vscode.CommentThread {
    // Created on demand: VS Code shows a view of comments once there is a controller.
    controller ??= vscode.comments.createCommentController(controllerId, "Patchbay");
    // An empty range, because VS Code tints the lines of a longer one.
    const thread = controller.createCommentThread(
      finding.uri,
      new vscode.Range(line, 0, line, 0),
      commentsOf(finding),
    );
    thread.canReply = false;
    thread.contextValue = "finding";
    const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
    thread.collapsibleState = finding.isUnproven === true ? Collapsed : Expanded;
    opened(thread);
    return thread;
  }

  function refresh(): void {
    const visible = new Set(visibleEditors().map(({ document }) => document.uri.toString()));
    const wanted = new Set(openOnes(findings.all).filter(({ uri }) => visible.has(uri.toString())));
    for (const [finding, thread] of threads) {
      if (wanted.has(finding)) continue;
      threads.delete(finding);
      thread.dispose();
    }
    for (const finding of wanted) {
      const { lines } = finding;
      // VS Code moves existing threads along with edits. If the lines are gone, the thread remains and says so.
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

/** The full text, which does not fit into the title. */
const commentsOf = ({ severity, reason, suggestion }: Finding): vscode.Comment[] => [
  comment(severityWord(severity), modelMarkdown(reason)),
  ...(suggestion === undefined ? [] : [comment(vscode.l10n.t("Suggestion"), modelMarkdown(suggestion))]),
];
