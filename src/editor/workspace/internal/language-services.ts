// What VS Code's language services know of code. They read files that are not open as well.
import * as vscode from "vscode";
import type {
  CodePlace,
  CodePlaces,
  CodeSymbol,
  FileMove,
  Languages,
  NameEdit,
} from "../../../files/workspace.ts";
import { plainText } from "../../../util/text.ts";
import { toFileName, toUri } from "../file-uris.ts";

type SymbolTree = vscode.DocumentSymbol | vscode.SymbolInformation;
type Target = vscode.Location | vscode.LocationLink;

const commands = {
  definition: "vscode.executeDefinitionProvider",
  references: "vscode.executeReferenceProvider",
} as const;

export const languages: Languages = {
  async outline(file) {
    const found = await ask<SymbolTree[]>("vscode.executeDocumentSymbolProvider", toUri(file));
    return (found ?? []).flatMap((each) => flatten(each, 0));
  },
  async symbols(name) {
    const found = await ask<vscode.SymbolInformation[]>("vscode.executeWorkspaceSymbolProvider", name);
    return (found ?? []).flatMap((each) => {
      const file = toFileName(each.location.uri);
      return file === undefined ? [] : flatten(each, 0).map((symbol) => ({ ...symbol, file }));
    });
  },
  async places(kind, _, at) {
    const found = (await ask<Target[]>(commands[kind], toUri(at.file), positionOf(at))) ?? [];
    const places: CodePlaces["places"][number][] = [];
    for (const each of found) {
      const [uri, range, whole] =
        "targetUri" in each
          ? [each.targetUri, each.targetSelectionRange ?? each.targetRange, each.targetRange]
          : [each.uri, each.range];
      const file = toFileName(uri);
      if (file !== undefined)
        places.push({
          file,
          line: range.start.line + 1,
          column: range.start.character + 1,
          ...(whole !== undefined && { last: whole.end.line + 1 }),
        });
    }
    return { places, outside: found.length - places.length };
  },
  async rename(_, at, to) {
    try {
      // VS Code hands its rename service the new name in a list where the file has no document yet, and that is refused.
      await vscode.workspace.openTextDocument(toUri(at.file));
      const found = await vscode.commands.executeCommand<vscode.WorkspaceEdit | undefined>(
        "vscode.executeDocumentRenameProvider",
        toUri(at.file),
        positionOf(at),
        to,
      );
      const all = (found?.entries() ?? []).flatMap(([uri, own]) => own.map((edit) => ({ uri, edit })));
      const edits = all.flatMap(({ uri, edit }) => nameEdit(uri, edit) ?? []);
      const { moves, otherFiles } = fileChangesIn(found);
      const before = (file: NameEdit["file"]) =>
        moves.find(({ to }) => to.folder === file.folder && to.path === file.path)?.from ?? file;
      return {
        edits: edits.map((edit) => ({ ...edit, file: before(edit.file) })),
        moves,
        otherFiles,
        others: all.length - edits.length,
      };
    } catch (error) {
      return { edits: [], others: 0, why: plainText(error instanceof Error ? error.message : "", 200) };
    }
  },
  async hover(at) {
    const found = await ask<vscode.Hover[]>("vscode.executeHoverProvider", toUri(at.file), positionOf(at));
    return (found ?? []).flatMap(({ contents }) =>
      contents.map((each) => (typeof each === "string" ? each : each.value)).filter((text) => text !== ""),
    );
  },
};

interface EditEntry {
  readonly _type: number;
  readonly from?: vscode.Uri;
  readonly to?: vscode.Uri;
}

/** In VS Code's `FileEditType`. */
const fileEntry = 1;

/**
 * The API of VS Code shows only changes of text. Changes of files are read from where it keeps them; those that create
 * or remove one have lost its name on their way here.
 */
function fileChangesIn(edit: vscode.WorkspaceEdit | undefined): {
  readonly moves: readonly FileMove[];
  readonly otherFiles: number;
} {
  const inside = edit as { _allEntries?(): readonly EditEntry[] } | undefined;
  const entries = (inside?._allEntries?.() ?? []).filter(({ _type }) => _type === fileEntry);
  const moves = entries.flatMap(({ from, to }) => {
    const [before, after] = [from && toFileName(from), to && toFileName(to)];
    return before === undefined || after === undefined ? [] : [{ from: before, to: after }];
  });
  return { moves, otherFiles: entries.length - moves.length };
}

function nameEdit(uri: vscode.Uri, { range, newText }: vscode.TextEdit): NameEdit | undefined {
  const file = toFileName(uri);
  if (file === undefined || !range.isSingleLine || /[\r\n]/.test(newText)) return undefined;
  const { start, end } = range;
  const length = end.character - start.character;
  return { file, line: start.line + 1, column: start.character + 1, length, text: newText };
}

/** A service that fails has found nothing, and so has one that does not know the file. */
const ask = <Answer>(command: string, ...args: readonly unknown[]): Promise<Answer | undefined> =>
  Promise.resolve(vscode.commands.executeCommand<Answer | undefined>(command, ...args)).catch(
    () => undefined,
  );

const positionOf = ({ line, column }: CodePlace): vscode.Position =>
  new vscode.Position(line - 1, column - 1);

function flatten(symbol: SymbolTree, depth: number): CodeSymbol[] {
  const whole = "range" in symbol ? symbol.range : symbol.location.range;
  const named = "selectionRange" in symbol ? symbol.selectionRange : whole;
  const children = "children" in symbol ? symbol.children : [];
  // Named as VS Code names them: `EnumMember` is an enum member.
  const kind = vscode.SymbolKind[symbol.kind]?.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase() ?? "symbol";
  const own = { name: symbol.name, kind, line: named.start.line + 1, last: whole.end.line + 1, depth };
  return [own, ...children.flatMap((child) => flatten(child, depth + 1))];
}
