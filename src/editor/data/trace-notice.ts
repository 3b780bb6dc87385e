// "patchbay.trace": "bodies" is valid for one session: it is reset at the next start, and the user is told when
// switching it on what is written from now on and how to stop it (requirements N5).
import * as vscode from "vscode";
import type { LogChannel } from "../log.ts";
import { showWarning } from "../notify.ts";
import type { StartSettings } from "../settings/start-settings.ts";

export function createTraceNotice(
  log: LogChannel,
  settings: Pick<StartSettings, "trace">,
): vscode.Disposable {
  const t = vscode.l10n.t;
  const isTracing = () => settings.trace() === "bodies";
  const end = () =>
    vscode.workspace
      .getConfiguration("patchbay")
      .update("trace", undefined, vscode.ConfigurationTarget.Global);

  function tell(): void {
    const stop = t("Stop Tracing");
    const show = t("Open Log");
    const sentence = t(
      "Requests and responses are written to the Patchbay log, without your key, until VS Code restarts.",
    );
    showWarning(sentence, stop, show).then(
      (chosen) => (chosen === stop ? end() : chosen === show ? log.show() : undefined),
      (error: unknown) => log.error("Tracing could not be ended.", error),
    );
  }

  if (isTracing()) {
    end().then(undefined, (error: unknown) => {
      log.error("The setting patchbay.trace could not be reset.", error);
      tell();
    });
  }
  return vscode.workspace.onDidChangeConfiguration((change) => {
    if (change.affectsConfiguration("patchbay.trace") && isTracing()) tell();
  });
}
