// What a person does about the connection: connect (connect.ts), remove the key, or choose what to do. Keeps the URL in the
// user's settings and the key in the system's store; what comes after is up to the caller.
import * as vscode from "vscode";
import { readBaseUrl } from "../../core/api/url-and-key.ts";
import { HumanError } from "../../core/messages/human-error.ts";
import type { Log } from "../../core/util/log.ts";
import { commands, detection } from "../manifest.ts";
import { type ConnectDeps, connect } from "./connect.ts";
import type { ConnectionState } from "./connection.ts";
import type { Keys } from "./key-store.ts";

export interface ConnectionCommandDeps extends Pick<ConnectDeps, "check" | "connected"> {
  readonly connection: ConnectionState;
  readonly keys: Keys;
  readonly log: Log;
  /** What of the person's data goes where. */
  showWhatLeaves(): Promise<void>;
}

export function createConnectionCommands({
  connection,
  keys,
  log,
  check,
  connected,
  showWhatLeaves,
}: ConnectionCommandDeps) {
  const t = vscode.l10n.t;
  const { address } = connection;

  const connectFrom = (first: "url" | "key") => () =>
    connect(first, {
      address,
      async keepUrl(url) {
        const configuration = vscode.workspace.getConfiguration("patchbay");
        await configuration.update("baseUrl", url, vscode.ConfigurationTarget.Global);
      },
      agree: agreeToPlainHttp,
      async hasKey() {
        return !("kind" in (await connection.current()));
      },
      keepKey: keep,
      check,
      connected,
    });
  const setBaseUrl = connectFrom("url");
  const setKey = connectFrom("key");

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

  /** Answers whether it can be used. */
  async function keep(origin: string, key: string): Promise<boolean> {
    try {
      await keys.set(origin, key);
      // A store may take what it does not give back.
      await keys.get(origin);
      return true;
    } catch (error) {
      log.error("The secret store did not take the key.", error);
      const hold = t("Keep for This Window");
      const sentence = t("The secret storage didn't accept the key, so it can't be saved.");
      const detail = t("It can be kept in memory until this window closes.");
      const chosen = await vscode.window.showWarningMessage(sentence, { modal: true, detail }, hold);
      if (chosen === hold) keys.hold(origin, key);
      return chosen === hold;
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
        t("The secret storage didn't remove the key. Remove it in your system's credential manager."),
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
      {
        label: `$(beaker) ${t("Detect features…")}`,
        run: () => run(commands.checkConnection, detection),
      },
      { label: `$(discard) ${t("Reset detected capabilities")}`, run: () => run(commands.forgetFound) },
      { label: `$(refresh) ${t("Reset anonymous ID")}`, run: () => run(commands.resetUserId) },
      {
        label: `$(gear) ${t("Open settings")}`,
        run: () => run("workbench.action.openSettings", "@ext:patchbay.patchbay"),
      },
      { label: `$(shield) ${t("What leaves this computer")}`, run: showWhatLeaves },
      { label: `$(trash) ${t("Remove API key")}`, run: removeKey },
    ];
    const chosen = await vscode.window.showQuickPick(choices, {
      title: t("Patchbay: Connection and Settings"),
    });
    await chosen?.run();
  }

  const run = async (command: string, ...given: readonly unknown[]) =>
    void (await vscode.commands.executeCommand(command, ...given));

  return {
    [commands.setBaseUrl]: setBaseUrl,
    [commands.setKey]: setKey,
    [commands.removeKey]: removeKey,
    [commands.manageConnection]: manage,
  };
}
