// Something that takes a while and can be called off, with a notification that says what.
import * as vscode from "vscode";

export async function withProgress<T>(
  title: string,
  run: (signal: AbortSignal, tell: (message: string) => void) => Promise<T>,
): Promise<T> {
  const { Notification } = vscode.ProgressLocation;
  const options = { location: Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (progress, token) => {
    const controller = new AbortController();
    token.onCancellationRequested(() => controller.abort());
    return run(controller.signal, (message) => progress.report({ message }));
  });
}
