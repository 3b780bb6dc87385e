// The way from our setting into VS Code's chat. The setting alone changes nothing that can be seen there: that chat asks
// for a sign-in of its own until its list of models was opened once, and leaves small requests to a model of its own.
import * as vscode from "vscode";
import { showInformation } from "../notify.ts";

const door = "workbench.action.chat.manage";

export async function showDoor(): Promise<void> {
  const { t } = vscode.l10n;
  const hasDoor = (await vscode.commands.getCommands(true)).includes(door);
  if (!hasDoor || isSwitchedOff()) {
    await showInformation(t("VS Code's chat is turned off. Other extensions can use Patchbay's models."));
    return;
  }
  const manage = t("Manage Models…");
  const sentence = t("To use Patchbay's models in VS Code's chat, turn them on in its list of models.");
  if ((await showInformation(sentence, manage)) !== manage) return;
  await vscode.commands.executeCommand(door);
  await offerSmallRequests();
}

/** By the person, or by who looks after their machine. What an account forbids is no setting and cannot be seen here. */
const isSwitchedOff = (): boolean =>
  vscode.workspace.getConfiguration("chat").get("disableAIFeatures") === true;

const utility = "byokUtilityModelDefault";

/** Titles, progress and summaries: without a login nothing answers these until the person says which model may. */
async function offerSmallRequests(): Promise<void> {
  const { t } = vscode.l10n;
  const settings = vscode.workspace.getConfiguration("chat");
  const found = settings.inspect(utility);
  if (found?.defaultValue === undefined || found.globalValue !== undefined) return;
  const use = t("Use the Chosen Model");
  const sentence = t(
    "VS Code's chat also sends small requests, such as titles and summaries. Use the model you choose there for them? They use your tokens; the summary of a long chat uses as many as the chat.",
  );
  if ((await showInformation(sentence, use)) === use)
    await settings.update(utility, "mainAgent", vscode.ConfigurationTarget.Global);
}
