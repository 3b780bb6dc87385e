// Something that takes a while and can be called off, with a notification that says what.
import * as vscode from "vscode";
import { withoutLinks } from "./without-links.ts";

/** `done`: how much of it, from 0 to 1, where that is known. */
export type Tell = (message: string, done?: number) => void;

export async function withProgress<T>(
  title: string,
  run: (signal: AbortSignal, tell: Tell) => Promise<T>,
): Promise<T> {
  const { Notification } = vscode.ProgressLocation;
  const options = { location: Notification, title: withoutLinks(title), cancellable: true };
  return vscode.window.withProgress(options, (progress, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    let before = 0;
    return run(controller.signal, (message, done = before) => {
      progress.report({ message: withoutLinks(message), increment: (done - before) * 100 });
      before = done;
    });
  });
}
