// The room of uploaded files, put together: its list and its commands.
import * as vscode from "vscode";
import { createFilesCommands, type FilesCommandDeps } from "./files-commands.ts";
import { createFilesView } from "./files-view.ts";

export function createFiles(deps: Pick<FilesCommandDeps, "files" | "documents" | "openConversation">) {
  const view = createFilesView(deps.files);
  const following = deps.files.onDidChange(view.refresh);
  return {
    commands: createFilesCommands({ ...deps, view }),
    dispose: () => vscode.Disposable.from(following, view).dispose(),
  };
}
