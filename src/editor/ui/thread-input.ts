// Comment threads in editors: with a label, buttons and, while the user is asked for something, one input box. VS
// Code's comments are the only widget of that kind available to extensions; callers decide what they are used for.
import * as vscode from "vscode";
import { textInInput, unlessInputBox } from "../text-editors.ts";

/**
 * Callers have to recreate the thread after input: VS Code returns the focus to a thread that once had it whenever the
 * thread changes.
 */
interface ThreadInput {
  /** The text to begin with. */
  readonly words?: string;
  /**
   * Called before the box is closed. @throws what is to be told: then the box stays, with its text. `isKept`: the text is
   * to be kept.
   */
  check?(isKept: boolean): void;
  /** Receives the text. */
  take(words: string): void;
  /** Receives the text if it is to be kept as a remark and sent later; absent: that is not offered. */
  keep?(words: string): void;
  /** Called if nothing was entered. */
  leave?(): void;
}

export interface Threads extends vscode.Disposable {
  /** Below this zero-based line. A collapsed thread is an icon next to the line. */
  open(uri: vscode.Uri, line: number, isFolded?: boolean): vscode.CommentThread;
  /** Asks for input in the thread and moves the focus there. */
  ask(thread: vscode.CommentThread, box: ThreadInput): void;
  /** Submits the text of the open box. */
  send(): Promise<void>;
  /** Keeps the text of the open box as a remark. `isByKey`: VS Code has not passed what was typed. */
  keep(isByKey: boolean): Promise<void>;
  /** Closes the box without input. */
  cancel(): Promise<void>;
  /** Whether the box is open in this thread. */
  isAsking(thread: vscode.CommentThread): boolean;
  /** The editor the user is in, never the input box within it. */
  readonly editor: vscode.TextEditor | undefined;
}

interface Open {
  readonly thread: vscode.CommentThread;
  readonly question: vscode.Comment;
  readonly box: ThreadInput;
}

/** Used in `when` clauses of the manifest. */
const controllerId = "patchbay";

/** Creates the threads. At most one input box is open at a time. */
export function createThreads(): Threads {
  let controller: vscode.CommentController | undefined;
  let open: Open | undefined;
  let editor = unlessInputBox(vscode.window.activeTextEditor);
  const listening = vscode.window.onDidChangeActiveTextEditor((active) => {
    if (active === undefined || unlessInputBox(active) !== undefined) editor = active;
  });

  function close(): Open | undefined {
    const closed = open;
    open = undefined;
    return closed;
  }

  return {
    get editor() {
      return editor;
    },
    open(uri, line, isFolded = false) {
      // Created on demand: VS Code shows a view of comments once there is a controller.
      controller ??= vscode.comments.createCommentController(controllerId, "Patchbay");
      // An empty range, because VS Code tints the lines of a longer one.
      const range = new vscode.Range(line, 0, line, 0);
      const thread = controller.createCommentThread(uri, range, []);
      thread.canReply = false;
      const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState;
      thread.collapsibleState = isFolded ? Collapsed : Expanded;
      return thread;
    },
    ask(thread, box) {
      close()?.box.leave?.();
      // VS Code focuses an empty comment in editing mode automatically.
      const { words: body = "", keep } = box;
      const isEdited = box.words !== undefined;
      const question: vscode.Comment = {
        ...{ body, mode: vscode.CommentMode.Editing, author: { name: title(keep !== undefined, isEdited) } },
        ...(keep !== undefined && { contextValue: isEdited ? "editing" : "change" }),
      };
      open = { thread, question, box };
      thread.comments = [...thread.comments, question];
    },
    isAsking: (thread) => open?.thread === thread,
    async send() {
      const words = wordsIn(open);
      if (words === "") return;
      open?.box.check?.(false);
      const closed = close();
      await focusEditor();
      closed?.box.take(words);
    },
    async keep(isByKey) {
      const words = isByKey ? (textInInput() ?? wordsIn(open)) : wordsIn(open);
      if (words === "" || open?.box.keep === undefined) return;
      open.box.check?.(true);
      const closed = close();
      await focusEditor();
      closed?.box.keep?.(words);
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

function wordsIn(open: Open | undefined): string {
  const body = open?.question.body ?? "";
  return (typeof body === "string" ? body : body.value).trim();
}

/** Names the key that sends in the chat too, or VS Code's own key, which differs on macOS. */
function title(isKept: boolean, isEdited: boolean): string {
  const t = vscode.l10n.t;
  if (isEdited) return t("Edit Remark");
  const key =
    vscode.workspace.getConfiguration("patchbay").get("chat.sendKey") === "enter"
      ? "Enter"
      : process.platform === "darwin"
        ? "Cmd+Enter"
        : "Ctrl+Enter";
  if (isKept)
    return t(
      "What should change? {0} sends, {1} keeps it as a remark, Escape closes",
      key,
      process.platform === "darwin" ? "Option+Enter" : "Alt+Enter",
    );
  if (key === "Enter") return t("What should change? Enter sends, Escape closes");
  return process.platform === "darwin"
    ? t("What should change? Cmd+Enter sends, Escape closes")
    : t("What should change? Ctrl+Enter sends, Escape closes");
}

/** Otherwise nothing has the focus. Showing the document instead would open it next to its diff. */
const focusEditor = () => vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
