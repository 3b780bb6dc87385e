// What VS Code has done and what the extension host has heard of it are two things: the second comes a moment after the
// first, sometimes after the command that did it has come back. Who reads what is shown waits here until it was heard.
import * as vscode from "vscode";

/** What `look` finds, as soon as it finds something; it looks again whenever one of these events is heard. */
export async function heard<T>(
  look: () => T | undefined,
  ...events: readonly vscode.Event<unknown>[]
): Promise<T> {
  const found = look();
  if (found !== undefined) return found;
  await new Promise<void>((resolve) => {
    const listening = vscode.Disposable.from(
      ...events.map((event) =>
        event(() => {
          listening.dispose();
          resolve();
        }),
      ),
    );
  });
  return heard(look, ...events);
}

const { window } = vscode;

/** The active one, once it is the one meant. */
export const activeEditor = (isMeant: (editor: vscode.TextEditor) => boolean): Promise<vscode.TextEditor> =>
  heard(() => {
    const { activeTextEditor } = window;
    return activeTextEditor && isMeant(activeTextEditor) ? activeTextEditor : undefined;
  }, window.onDidChangeActiveTextEditor);

/** Once the cursor of the active editor is in this line: it goes there with the editor, or a moment later. */
export const cursorIn = (line: number): Promise<true> =>
  heard(
    () => window.activeTextEditor?.selection.active.line === line || undefined,
    window.onDidChangeTextEditorSelection,
    window.onDidChangeActiveTextEditor,
  );

/** Shows it in an editor that is the active one then. */
export async function showEditor(
  shown: vscode.TextDocument | vscode.Uri,
  viewColumn = vscode.ViewColumn.Active,
): Promise<vscode.TextEditor> {
  const document = "getText" in shown ? shown : await vscode.workspace.openTextDocument(shown);
  const editor = await window.showTextDocument(document, { preview: false, viewColumn });
  await activeEditor((active) => active.document === document);
  return editor;
}

/** Once no editor is in sight any more. */
export const noEditor = (): Promise<true> =>
  heard(
    () => (window.activeTextEditor === undefined && window.visibleTextEditors.length === 0) || undefined,
    window.onDidChangeActiveTextEditor,
    window.onDidChangeVisibleTextEditors,
  );

/** The active tab, once it is the one meant. */
export const activeTab = (isMeant: (tab: vscode.Tab) => boolean): Promise<vscode.Tab> =>
  heard(
    () => {
      const { activeTab: tab } = window.tabGroups.activeTabGroup;
      return tab && isMeant(tab) ? tab : undefined;
    },
    window.tabGroups.onDidChangeTabs,
    window.tabGroups.onDidChangeTabGroups,
  );

/** A terminal of the test's own, in front of all others. */
export async function openTerminal(name: string, typed: (data: string) => void = () => undefined) {
  const writes = new vscode.EventEmitter<string>();
  const opens = new vscode.EventEmitter<void>();
  const opened = new Promise<void>((resolve) => opens.event(resolve));
  const pty = { onDidWrite: writes.event, open: () => opens.fire(), close() {}, handleInput: typed };
  const terminal = window.createTerminal({ name, pty });
  terminal.show();
  await opened;
  await heard(() => window.activeTerminal === terminal || undefined, window.onDidChangeActiveTerminal);
  return { terminal, write: (text: string) => writes.fire(text) };
}

/** Once the settings say so: what another one has written into their files is read in VS Code's own time. */
export const configured = (isSo: () => boolean): Promise<true> =>
  heard(() => isSo() || undefined, vscode.workspace.onDidChangeConfiguration);
