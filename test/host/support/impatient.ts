// The editor's own pickers and boxes, pressed as somebody does who cannot wait: VS Code tells nobody when one is open.
import * as vscode from "vscode";

/** Enter, on what stands first or on what was filled in. */
export const enter = "workbench.action.acceptSelectedQuickOpenItem";

export const leave = "workbench.action.closeQuickOpen";

/** Does it again and again until what was asked has come back. */
export async function until<T>(asked: PromiseLike<T>, command: string): Promise<T> {
  let isDone = false;
  const done = Promise.resolve(asked).finally(() => {
    isDone = true;
  });
  while (!isDone) await vscode.commands.executeCommand(command);
  return done;
}
