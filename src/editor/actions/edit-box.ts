// The box of Edit Here, in a file of its own that is read in a few milliseconds: the first time in a window the user
// types while all that a response needs is still being loaded.
import { setTimeout as wait } from "node:timers/promises";
import * as vscode from "vscode";
import { unlessInputBox } from "../text-editors.ts";
import { createThreads, type Threads } from "../ui/thread-input.ts";
import type { CodePlace } from "./edit-commands.ts";

export interface EditBox {
  readonly place: CodePlace;
  readonly thread: vscode.CommentThread;
  /** What the user typed; `undefined` if they closed the box. */
  readonly words: Promise<string | undefined>;
}

/**
 * In milliseconds. VS Code shows a thread once nothing of it has changed for 100: a label that came before that would keep
 * the box back.
 */
export const untilShown = 120;

/** In milliseconds: if the focus went elsewhere, the rest is loaded all the same. */
const patience = 1000;

export type EditBoxes = ReturnType<typeof createEditBoxes>;

export function createEditBoxes(threads: Threads = createThreads()) {
  const early = new WeakSet<EditBox>();

  function open(place: CodePlace): EditBox {
    const thread = openThread(threads, place, vscode.l10n.t("Edit"));
    const words = new Promise<string | undefined>((resolve) => {
      threads.ask(thread, { take: resolve, leave: () => resolve(undefined) });
    });
    return { place, thread, words };
  }

  return {
    threads,
    open,
    /** Resolves once the box is shown; with `undefined` where it has to wait for the rest. */
    async openFirst(place: CodePlace | undefined): Promise<EditBox | undefined> {
      const { editor } = threads;
      const { document, range } = place ?? { document: editor?.document, range: editor?.selection };
      if (document === undefined || range === undefined || !vscode.workspace.isTrusted) return undefined;
      if (document.uri.scheme !== "file" || vscode.workspace.getWorkspaceFolder(document.uri) === undefined)
        return undefined;
      const box = open({ document, range });
      early.add(box);
      await untilFocused();
      return box;
    },
    /** Accepts only a box that was opened here (threats A8). */
    firstBoxOf: (argument: unknown): EditBox | undefined =>
      early.has(argument as EditBox) ? (argument as EditBox) : undefined,
    dispose: threads.dispose,
  };
}

/** Resolves once an input box has the focus: what keeps the host busy before that would keep the box back. */
async function untilFocused(): Promise<void> {
  let listening: vscode.Disposable | undefined;
  const focused = new Promise<void>((resolve) => {
    listening = vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor !== undefined && unlessInputBox(editor) === undefined) resolve();
    });
  });
  await Promise.race([focused, wait(patience)]);
  listening?.dispose();
}

/** A thread at the last line of the place, which its label names. */
export function openThread(threads: Threads, place: CodePlace, title: string): vscode.CommentThread {
  const { start } = place.range;
  const last = lastLine(place);
  const thread = threads.open(place.document.uri, last);
  const lines =
    start.line === last
      ? vscode.l10n.t("line {0}", last + 1)
      : vscode.l10n.t("lines {0}–{1}", start.line + 1, last + 1);
  thread.label = `${title}: ${lines}`;
  return thread;
}

/** A selection that ends at the beginning of a line does not include that line. */
export function lastLine({ range: { start, end } }: CodePlace): number {
  return end.line - (end.character === 0 && end.line > start.line ? 1 : 0);
}
