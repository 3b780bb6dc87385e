// Diagnostics without personal data: versions, the kind of environment, which settings are changed. No URL, path, text
// or key.
import * as vscode from "vscode";
import { createMask } from "../../util/mask-secrets.ts";
import type { ConnectionState } from "../connection/connection-state.ts";
import { commands } from "../manifest.ts";
import { showInformation } from "../notify.ts";

interface DiagnosticsDeps {
  readonly connection: Pick<ConnectionState, "problem" | "current">;
  readonly extension: vscode.Extension<unknown>;
  /** Lines that only an open container can provide. */
  more(): readonly string[];
}

export function createDiagnosticsCommands(deps: DiagnosticsDeps) {
  async function text(): Promise<string> {
    const now = await deps.connection.current();
    return createMask("key" in now ? now.key : "")(diagnostics(deps));
  }
  return {
    [commands.copyDiagnostics]: async () => {
      await vscode.env.clipboard.writeText(await text());
      void showInformation(
        vscode.l10n.t("Diagnostics copied. They contain versions and names of settings, but no content."),
      );
    },
    [commands.reportIssue]: async () =>
      vscode.commands.executeCommand("workbench.action.openIssueReporter", {
        extensionId: deps.extension.id,
        issueBody: "What happened:\n\nWhat I expected:\n\n",
        data: await text(),
      }),
  };
}

export function diagnostics({ connection, extension, more }: DiagnosticsDeps): string {
  const { version } = extension.packageJSON as { readonly version: string };
  const { remoteName, uiKind, language } = vscode.env;
  const folders = vscode.workspace.workspaceFolders?.length ?? 0;
  const rows = [
    `Patchbay ${version}`,
    `VS Code ${vscode.version} (${vscode.env.appName}), ${uiKind === vscode.UIKind.Web ? "web" : "desktop"}`,
    `Node ${process.versions.node}, ${process.platform} ${process.arch}`,
    `Remote: ${remoteName ?? "none"} · language: ${language}`,
    `Folders: ${folders} · trusted: ${vscode.workspace.isTrusted}`,
    `Connection: ${connection.problem?.kind ?? "ready"}`,
    ...more(),
    `Changed settings: ${changedSettings(extension).join(", ") || "none"}`,
  ];
  return `${rows.join("\n")}\n`;
}

/** Numbers and booleans with their value; strings, lists and tables only by name. */
function changedSettings(extension: vscode.Extension<unknown>): string[] {
  const { contributes } = extension.packageJSON as {
    readonly contributes: { readonly configuration: readonly { readonly properties: object }[] };
  };
  const names = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
  const configuration = vscode.workspace.getConfiguration("patchbay");
  return names.flatMap((id) => {
    const name = id.replace("patchbay.", "");
    const found = configuration.inspect(name);
    const value = found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
    if (value === undefined) return [];
    return typeof value === "number" || typeof value === "boolean" ? [`${name}=${value}`] : [name];
  });
}
