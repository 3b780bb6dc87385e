// What a person does about the connection: set the service URL, set or remove the key. Bad input is refused in the
// box, with a sentence, before anything is stored or sent.
import * as vscode from "vscode";
import { readBaseUrl } from "../../core/api/address.ts";
import { readKey } from "../../core/api/key.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import type { Log } from "../../core/util/log.ts";
import { inReaderLanguage } from "../in-reader-language.ts";
import { commands } from "../manifest.ts";
import type { ConnectionState } from "./connection.ts";
import type { Keys } from "./key.ts";

export function createConnectionCommands(connection: ConnectionState, keys: Keys, log: Log) {
  const t = vscode.l10n.t;

  async function setBaseUrl(): Promise<boolean> {
    const configuration = vscode.workspace.getConfiguration("patchbay");
    const entered = await vscode.window.showInputBox({
      title: t("Patchbay: Service URL"),
      prompt: t(
        "The address of the inference service. It is kept in your user settings; a workspace cannot change it.",
      ),
      placeHolder: "https://inference.example.com",
      value: configuration.inspect<string>("baseUrl")?.globalValue ?? "",
      ignoreFocusOut: true,
      validateInput: (text) => {
        const read = readBaseUrl(text);
        return read.ok || read.unconfirmed !== undefined ? undefined : inReaderLanguage(read.message);
      },
    });
    if (entered === undefined || !(await agreeToPlainHttp(entered))) return false;
    await configuration.update("baseUrl", entered.trim(), vscode.ConfigurationTarget.Global);
    return true;
  }

  /** Whether it is encrypted, or may go out without. */
  async function agreeToPlainHttp(entered: string): Promise<boolean> {
    const read = readBaseUrl(entered);
    if (read.ok || read.unconfirmed === undefined) return true;
    const use = t("Use HTTP");
    const question = t("Send your API key unencrypted to {0}?", read.unconfirmed);
    const detail = [
      t(
        "With http://, anyone on this network can read your API key, your code and the responses, and can change them.",
      ),
      t("Use it only in a network you trust. Prefer https:// if the service offers it."),
    ].join("\n\n");
    if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, use)) !== use)
      return false;
    await connection.allowPlainHttp(read.unconfirmed);
    return true;
  }

  async function setKey(): Promise<void> {
    const address = connection.address();
    if ("kind" in address) {
      if (!(await setBaseUrl())) return;
      return setKey();
    }
    const entered = await vscode.window.showInputBox({
      title: t("Patchbay: API Key"),
      prompt: t("Kept in your system's secret store and sent to {0} only.", address.origin),
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => {
        const read = readKey(text);
        return read.ok ? undefined : inReaderLanguage(read.message);
      },
    });
    if (entered === undefined) return;
    const read = readKey(entered);
    if (read.ok) await keep(address.origin, read.key);
  }

  async function keep(origin: string, key: string): Promise<void> {
    try {
      await keys.set(origin, key);
      // A store may take what it does not give back.
      await keys.get(origin);
    } catch (error) {
      log.error("The secret store did not take the key.", error);
      const hold = t("Keep for This Window");
      const sentence = t("Your system's secret store did not take the key, so it cannot be kept for later.");
      const detail = t("It can be held in memory until this window closes. It is written nowhere.");
      const chosen = await vscode.window.showWarningMessage(sentence, { modal: true, detail }, hold);
      if (chosen === hold) keys.hold(origin, key);
    }
  }

  async function removeKey(): Promise<void> {
    const address = connection.address();
    if ("kind" in address) return;
    try {
      await keys.remove(address.origin);
    } catch (error) {
      log.error("The secret store did not remove the key.", error);
      throw new HumanError(
        t(
          "Your system's secret store did not remove the key; remove it there, under the name of this editor.",
        ),
      );
    }
  }

  async function manage(): Promise<void> {
    const address = connection.address();
    const origin = "kind" in address ? t("not set") : address.url;
    const choices = [
      { label: `$(globe) ${t("Set service URL…")}`, description: origin, run: setBaseUrl },
      { label: `$(key) ${t("Set API key…")}`, run: setKey },
      { label: `$(pass) ${t("Test API key")}`, run: () => run(commands.testKey) },
      { label: `$(pulse) ${t("Check connection…")}`, run: () => run(commands.checkConnection) },
      { label: `$(discard) ${t("Forget what the service refuses")}`, run: () => run(commands.forgetFound) },
      { label: `$(refresh) ${t("Reset anonymous ID")}`, run: () => run(commands.resetUserId) },
      { label: `$(trash) ${t("Remove API key")}`, run: removeKey },
    ];
    const chosen = await vscode.window.showQuickPick(choices, { title: t("Patchbay: Connection") });
    await chosen?.run();
  }

  const run = async (command: string) => void (await vscode.commands.executeCommand(command));

  return {
    [commands.setBaseUrl]: setBaseUrl,
    [commands.setKey]: setKey,
    [commands.removeKey]: removeKey,
    [commands.manageConnection]: manage,
  };
}
