// The tabs that were open before a change, so that those it opened can be closed afterwards.
import * as vscode from "vscode";

interface OpenedTabs {
  /** Closes tabs of these files that were opened since, are saved, and were not opened by the user. */
  close(files: readonly vscode.Uri[]): Promise<void>;
}

/**
 * Notes which tabs are open; call it before the edit. VS Code opens an editor for a file that stays unsaved for a
 * moment. When an edit is saved immediately afterwards, nobody has asked for these editors, so they – and no others –
 * are closed again.
 */
export function noteOpenTabs(): OpenedTabs {
  const groups = vscode.window.tabGroups.all;
  const shown = new Set(groups.flatMap(({ tabs }) => tabs.flatMap(({ input }) => namesOf(input))));
  const emptyBefore = new Set(
    groups.filter(({ tabs }) => tabs.length === 0).map(({ viewColumn }) => viewColumn),
  );
  return {
    async close(files) {
      const edited = new Set(files.map((uri) => uri.toString()));
      const isOurs = ({ input, isDirty, isPinned, isPreview, isActive, group }: vscode.Tab) => {
        const [name] = input instanceof vscode.TabInputText ? namesOf(input) : [];
        if (name === undefined || !edited.has(name) || shown.has(name)) return false;
        // What the user opens becomes active; in an empty group, so does whatever is opened first.
        return !isDirty && !isPinned && !isPreview && (!isActive || emptyBefore.has(group.viewColumn));
      };
      const ours = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isOurs));
      if (ours.length > 0) await vscode.window.tabGroups.close(ours, true);
    },
  };
}

function namesOf(input: unknown): readonly string[] {
  if (input instanceof vscode.TabInputText) return [input.uri.toString()];
  if (input instanceof vscode.TabInputTextDiff) return [input.original.toString(), input.modified.toString()];
  return [];
}
