// Lets the user choose which tools of others the open conversation may use, and with which permission: none by default.
// Added tools change the beginning of the conversation and so invalidate the service's cache; the next turn says so.
import * as vscode from "vscode";
import { HumanError } from "../../conversation/messages.ts";
import type { Permission } from "../../conversation/models.ts";
import type { Session } from "../../session/session.ts";
import { withoutIcons } from "../../util/text.ts";
import type { OtherTool } from "../tool-table.ts";

interface ToolRow extends vscode.QuickPickItem {
  readonly tool?: OtherTool;
  /** Commands run in this folder without asking. */
  readonly folder?: string;
  readonly runs?: Permission;
}

/** Folders in which a person lets commands run without asking, until they withdraw that. */
interface AllowedCommands {
  readonly allowedFolders: readonly string[];
  askIn(folder: string): Promise<void>;
}

export function createChooseTools(session: () => Pick<Session, "choices">, allowed: AllowedCommands) {
  const t = vscode.l10n.t;
  return async (): Promise<void> => {
    if (!vscode.workspace.isTrusted)
      throw new HumanError(t("In Restricted Mode, tools don't run. Trust this folder first."));
    const { choices } = session();
    const tools = choices.otherTools.filter(({ isBarred }) => !isBarred);
    const folders = allowed.allowedFolders;
    if (tools.length === 0 && folders.length === 0)
      throw new HumanError(t("No tools of other extensions or MCP servers are available."));
    const chosen = await pick([...rowsOf(tools), ...folderRows(folders)]);
    if (chosen === undefined) return;
    for (const folder of folders)
      if (!chosen.some((row) => row.folder === folder)) await allowed.askIn(folder);
    if (tools.length === 0) return;
    const names = new Map(chosen.map(({ tool, runs }) => [tool?.name, runs]));
    choices.chooseTools(
      Object.fromEntries(tools.map(({ name }) => [name, names.get(name) ?? "off"] as const)),
    );
  };
}

/** Grouped by owner. A tool without a permission would ask each time. */
export function rowsOf(tools: readonly OtherTool[]): readonly ToolRow[] {
  const owners = [...new Set(tools.map(({ namespace }) => namespace))].sort();
  return owners.flatMap((owner) => [
    { label: owner, kind: vscode.QuickPickItemKind.Separator },
    ...tools
      .filter(({ namespace }) => namespace === owner)
      .map((tool) => rowOf(tool, tool.permission === "auto" ? "auto" : "ask")),
  ]);
}

/** Not of this conversation alone, so they come last. */
function folderRows(folders: readonly string[]): readonly ToolRow[] {
  const t = vscode.l10n.t;
  if (folders.length === 0) return [];
  return [
    { label: t("Allowed in every conversation"), kind: vscode.QuickPickItemKind.Separator },
    ...folders.map((folder) => ({
      folder,
      label: t("Commands in {0}", withoutIcons(folder)),
      description: t("run without asking, in a sandbox"),
    })),
  ];
}

function rowOf(tool: OtherTool, runs: Permission): ToolRow {
  const t = vscode.l10n.t;
  const [description, tooltip, icon] =
    runs === "auto"
      ? [t("runs without asking"), t("Ask Each Time"), "bell"]
      : [t("asks each time"), t("Always Allow in This Conversation"), "run-all"];
  return {
    tool,
    runs,
    label: tool.name.slice(tool.namespace.length + 1),
    description,
    detail: withoutIcons(tool.description.replace(/\s+/g, " ").slice(0, 200)),
    buttons: [{ iconPath: new vscode.ThemeIcon(icon), tooltip }],
  };
}

function pick(rows: readonly ToolRow[]): Promise<readonly ToolRow[] | undefined> {
  const t = vscode.l10n.t;
  const box = vscode.window.createQuickPick<ToolRow>();
  Object.assign(box, {
    title: t("Choose Tools for This Conversation"),
    placeholder: t(
      "These tools can change files and access the network. Selected tools are offered to the model.",
    ),
    canSelectMany: true,
    matchOnDetail: true,
    items: rows,
  });
  box.selectedItems = rows.filter(
    ({ tool, folder }) => folder !== undefined || (tool !== undefined && tool.permission !== "off"),
  );
  return new Promise((resolve) => {
    let chosen: readonly ToolRow[] | undefined;
    box.onDidTriggerItemButton(({ item }) => {
      const { tool } = item;
      if (tool === undefined) return;
      const changed = rowOf(tool, item.runs === "auto" ? "ask" : "auto");
      const selected = new Set(box.selectedItems.map((row) => row.tool?.name ?? row.folder));
      box.items = box.items.map((row) => (row.tool === tool ? changed : row));
      // Choosing a permission for a tool selects the tool.
      box.selectedItems = box.items.filter(
        (row) => row === changed || selected.has(row.tool?.name ?? row.folder),
      );
    });
    box.onDidAccept(() => {
      chosen = box.selectedItems;
      box.hide();
    });
    box.onDidHide(() => {
      box.dispose();
      resolve(chosen);
    });
    box.show();
  });
}
