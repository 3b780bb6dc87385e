// What the walkthrough's buttons do that no other command does: a sample to act on, a sample to review. Neither needs a
// folder, a key or a network.
import * as vscode from "vscode";
import { commands } from "../manifest.ts";
import { sampleText } from "./sample-code.ts";
import { type SampleReview, showSampleDiff } from "./sample-review.ts";

export interface StartNeeds {
  readonly sample: SampleReview;
  /** Names of the folders that are open. */
  folders(): readonly string[];
  /** A text of ours as a document. */
  addDocument(title: string, text: string): vscode.Uri;
}

export function createStartCommands({ sample, folders, addDocument }: StartNeeds) {
  async function openSample(): Promise<void> {
    const content = sampleText;
    const document = await vscode.workspace.openTextDocument({ content, language: "typescript" });
    const at = content.indexOf("export function discount");
    const range = new vscode.Range(
      document.positionAt(at),
      document.positionAt(content.indexOf("}\n", at) + 1),
    );
    await vscode.window.showTextDocument(document, { selection: range, preview: false });
  }

  async function reviewSample(): Promise<void> {
    const [folder] = folders();
    if (folder === undefined) return showSampleDiff(addDocument);
    await sample.begin(folder);
    await vscode.commands.executeCommand(commands.openReview);
  }

  return {
    [commands.openStart]: () =>
      vscode.commands.executeCommand(
        "workbench.action.openWalkthrough",
        "patchbay.patchbay#patchbay.start",
        false,
      ),
    [commands.openSample]: openSample,
    [commands.reviewSample]: reviewSample,
  };
}
