// The way out where a file is kept here for its name and holds no secret: one click, remembered in the user's own
// settings. Each file is told once in a window, so that no model can make a person press it away.
import * as vscode from "vscode";
import { type PrivacySettings, wayOut } from "../core/files/privacy.ts";
import { addToSetting } from "./add-to-setting.ts";
import { showInformation } from "./notify.ts";

const setting = "context.ignore";

export function createHeldBack(
  privacy: () => PrivacySettings,
  report: (error: unknown) => void,
): (paths: readonly string[]) => void {
  const asked = new Set<string>();
  return (paths) => {
    const [path = ""] = paths;
    const patterns = wayOut(paths, privacy());
    if (patterns.length === 0 || asked.has(path)) return;
    asked.add(path);
    offer(path, patterns).catch(report);
  };
}

async function offer(path: string, patterns: readonly string[]): Promise<void> {
  const t = vscode.l10n.t;
  const [allow, show] = [t("Allow This File"), t("Show Setting")];
  const question = t("{0} looks like a file of secrets, so it isn't sent.", path);
  const answer = await showInformation(question, allow, show);
  if (answer === allow) await addToSetting(setting, patterns);
  if (answer === show)
    await vscode.commands.executeCommand("workbench.action.openSettings", `patchbay.${setting}`);
}
