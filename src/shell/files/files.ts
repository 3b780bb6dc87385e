// The room of uploaded files, put together: its list and its commands.
import * as vscode from "vscode";
import { createFilesCommands, type FilesCommandNeeds } from "./files-commands.ts";
import { createFilesView } from "./files-view.ts";

export function createFiles(needs: Pick<FilesCommandNeeds, "files" | "documents" | "openConversation">) {
  const view = createFilesView(needs.files);
  const following = needs.files.onDidChange(view.refresh);
  return {
    commands: createFilesCommands({ ...needs, view }),
    dispose: () => vscode.Disposable.from(following, view).dispose(),
  };
}
