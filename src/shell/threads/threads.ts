// What Patchbay says between the lines of an editor: threads with a label, buttons and, while somebody is asked for words,
// one box. VS Code's comments are the only widget of that kind that an extension can have; what they are used for stands
// elsewhere. One box is open at a time, as there is one person.
import * as vscode from "vscode";
import { notABox } from "../editors.ts";

export interface Box {
  /** Gets what was written; the thread shows again what it showed before. */
  take(words: string): void;
  /** Nothing was written after all. */
  leave?(): void;
}

export interface Threads extends vscode.Disposable {
  /** Below this line, counted from 0; folded away it is a sign beside the line. */
  open(uri: vscode.Uri, line: number, isFolded?: boolean): vscode.CommentThread;
  /** Asks for words in the thread, which gets the focus. */
  ask(thread: vscode.CommentThread, box: Box): void;
  /** What was written goes to whoever asked for it. */
  send(): Promise<void>;
  /** The box is closed without an answer. */
  cancel(): Promise<void>;
  /** Whether somebody is being asked there. */
  isAsking(thread: vscode.CommentThread): boolean;
  /** The editor that a person is in, and not the box that has the focus in it. */
  readonly editor: vscode.TextEditor | undefined;
}

interface Open {
  readonly thread: vscode.CommentThread;
  readonly before: readonly vscode.Comment[];
  readonly question: vscode.Comment;
  readonly box: Box;
}

/** How `when` clauses of the manifest name them. */
const controllerId = "patchbay";

export function createThreads(): Threads {
  let controller: vscode.CommentController | undefined;
  let open: Open | undefined;
  let editor = notABox(vscode.window.activeTextEditor);
  const listening = vscode.window.onDidChangeActiveTextEditor((active) => {
    if (active === undefined || notABox(active) !== undefined) editor = active;
  });

  function close(): Open | undefined {
    const closed = open;
    open = undefined;
    if (closed !== undefined) closed.thread.comments = closed.before;
    return closed;
  }

  return {
    get editor() {
      return editor;
    },
    open(uri, line, isFolded = false) {
      // Not before it is needed: VS Code shows a view of comments for whoever has a controller.
      controller ??= vscode.comments.createCommentController(controllerId, "Patchbay");
      // Of no width: the lines of a longer range are tinted.
      const range = new vscode.Range(line, 0, line, 0);
      const thread = controller.createCommentThread(uri, range, []);
      thread.canReply = false;
      const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
      thread.collapsibleState = isFolded ? Collapsed : Expanded;
      return thread;
    },
    ask(thread, box) {
      close()?.box.leave?.();
      const before = thread.comments;
      // What is empty and edited gets the focus from VS Code itself.
      const question = { body: "", mode: vscode.CommentMode.Editing, author: { name: title() } };
      open = { thread, before, question, box };
      thread.comments = [...before, question];
    },
    isAsking: (thread) => open?.thread === thread,
    async send() {
      const body = open?.question.body ?? "";
      const words = (typeof body === "string" ? body : body.value).trim();
      if (words === "") return;
      const closed = close();
      await focusEditor();
      closed?.box.take(words);
    },
    async cancel() {
      const closed = close();
      await focusEditor();
      closed?.box.leave?.();
    },
    dispose: () =>
      vscode.Disposable.from(listening, ...(controller === undefined ? [] : [controller])).dispose(),
  };
}

/** With VS Code's own key for it, which a Mac has elsewhere. */
const title = (): string =>
  process.platform === "darwin"
    ? vscode.l10n.t("What should change? Cmd+Enter sends, Escape closes")
    : vscode.l10n.t("What should change? Ctrl+Enter sends, Escape closes");

/** Else the focus is nowhere. To show the document would open that of a diff beside it. */
const focusEditor = () => vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
