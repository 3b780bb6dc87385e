// The inspector, put together: its documents, what shows them, and turns sent again with changes.
import * as vscode from "vscode";
import { createInspectCommands, type InspectNeeds } from "./inspect-commands.ts";
import { createInspectDocuments } from "./inspect-documents.ts";
import { createReplayCommands, type ReplayNeeds } from "./replay.ts";

export function createInspect(needs: Omit<InspectNeeds & ReplayNeeds, "documents">) {
  const documents = createInspectDocuments();
  const replays = createReplayCommands({ ...needs, documents });
  return {
    commands: { ...createInspectCommands({ ...needs, documents }), ...replays.commands },
    addDocument: (title: string, text: string) => documents.add(title, { text, type: "ts" }),
    dispose: () => vscode.Disposable.from(replays, documents).dispose(),
  };
}
