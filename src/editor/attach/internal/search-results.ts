// What VS Code's search view shows, as text: the path of each file of the workspace, and its lines below.
import { homedir } from "node:os";
import * as vscode from "vscode";
import { HumanError } from "../../../conversation/messages.ts";
import type { Attachment } from "../../../conversation/state.ts";
import { pathInWorkspace } from "../attach-uri.ts";

/** More than a request takes; a search may have found twenty thousand lines. */
const maxLength = 4_000_000;

export async function searchResults(): Promise<Attachment> {
  const t = vscode.l10n.t;
  // VS Code's own text of all results, made for its own chat. Empty where the view was not opened yet.
  const found = await vscode.commands.executeCommand<unknown>("search.action.getSearchResults");
  const { files, lines, text } = readSearchResults(typeof found === "string" ? found : "", (path) =>
    // VS Code shortens the home folder in labels.
    pathInWorkspace(vscode.Uri.file(path.replace(/^~(?=\/)/, homedir()))),
  );
  if (files === 0) throw new HumanError(t("The search view shows no results in this workspace."));
  return { kind: "search", name: t("Search results: {0} lines in {1} files", lines, files), text };
}

/**
 * VS Code writes the path of a file on a line of its own, below it `  12,5: text` for each match, `  13: text` where one
 * goes on, and an empty line between files. Files outside of the workspace are left out.
 */
export function readSearchResults(given: string, nameOf: (path: string) => string | undefined) {
  const kept: string[] = [];
  let isNamed = false;
  let [files, lines] = [0, 0];
  for (const line of given.slice(0, maxLength).split(/\r?\n/)) {
    const match = /^\s+(\d+)(?:,\d+)?: (.*)$/s.exec(line);
    if (match !== null) {
      if (!isNamed) continue;
      kept.push(`  ${match[1]}: ${match[2]}`);
      lines++;
    } else if (line.trim() !== "" && !/^\s/.test(line)) {
      const name = nameOf(line);
      isNamed = name !== undefined;
      if (name === undefined) continue;
      kept.push(name);
      files++;
    }
  }
  return { files, lines, text: kept.join("\n") };
}
