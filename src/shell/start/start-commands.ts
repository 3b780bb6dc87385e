// What the walkthrough's buttons do that no other command does: a sample to act on, a sample to review. Neither needs a
// folder, a key or a network.
import * as vscode from "vscode";
import { commands, contextKeys } from "../manifest.ts";
import { newDocument } from "../new-document.ts";
import { sampleText } from "./sample-code.ts";
import type { SampleReview } from "./sample-review.ts";

export interface StartDeps {
  readonly sample: SampleReview;
  /** Whether the service has taken the key that is set. */
  isConnected(): boolean;
  /** Whether something was answered in the open conversation. */
  isAnswered(): boolean;
  /** Names of the folders that are open. */
  folders(): readonly string[];
}

export function createStartCommands({ sample, isConnected, isAnswered, folders }: StartDeps) {
  async function openStart(): Promise<void> {
    const walkthrough = "patchbay.patchbay#patchbay.start";
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", walkthrough, false);
    // What was done before there was anybody to see it counts as well.
    const set = (key: string, value: boolean) => vscode.commands.executeCommand("setContext", key, value);
    await set(contextKeys.startConnected, isConnected());
    await set(contextKeys.startAnsweredBefore, isAnswered());
  }

  async function openSample(): Promise<void> {
    const content = sampleText;
    const document = await newDocument(content, "typescript");
    const at = content.indexOf("export function discount");
    const range = new vscode.Range(
      document.positionAt(at),
      document.positionAt(content.indexOf("}\n", at) + 1),
    );
    await vscode.window.showTextDocument(document, { selection: range, preview: false });
  }

  async function reviewSample(): Promise<void> {
    await sample.begin(folders());
  }

  return {
    [commands.openStart]: openStart,
    [commands.openSample]: openSample,
    [commands.reviewSample]: reviewSample,
  };
}
