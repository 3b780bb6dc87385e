// Sources of the editor's colours: the grammars and languages of all extensions, and the theme that a page shows. Only
// file paths are passed on; the colouring thread reads the files.
import { join } from "node:path";
import * as vscode from "vscode";
import type { Disposable } from "../../util/disposables.ts";
import { fieldsOf } from "../../util/json.ts";
import type { Log } from "../../util/log.ts";
import { type Colouring, createColouring } from "../colouring.ts";
import type { Contribution } from "../internal/grammar-table.ts";

/** `folder`: where the host's built files are. */
export function createEditorColours(folder: string, log: Log): Colouring & Disposable {
  const colouring = createColouring({
    file: join(folder, "colours.js"),
    engine: join(folder, "onig.wasm"),
    source: { contributions, theme },
    log,
  });
  const listening = [
    vscode.extensions.onDidChange(() => colouring.sourceChanged("grammars")),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (settings.some((name) => change.affectsConfiguration(name))) colouring.sourceChanged("theme");
    }),
  ];
  return {
    ...colouring,
    get isRunning() {
      return colouring.isRunning;
    },
    dispose() {
      vscode.Disposable.from(...listening).dispose();
      void colouring.close();
    },
  };
}

const settings = ["editor.tokenColorCustomizations", "editor.bracketPairColorization"];

function contributions(): readonly Contribution[] {
  return vscode.extensions.all.flatMap(({ packageJSON, extensionUri }) => {
    const { grammars, languages } = fieldsOf(fieldsOf(packageJSON)["contributes"]);
    const isHere = extensionUri.scheme === "file" && (Array.isArray(grammars) || Array.isArray(languages));
    return isHere ? [{ folder: extensionUri.fsPath, grammars, languages }] : [];
  });
}

/** Finds a theme by the name a page reports, which is the one used in settings. */
function theme(name: string) {
  const all = vscode.extensions.all.flatMap(themesOf);
  // VS Code used to call its own themes "Default …"; settings and pages may use either name.
  const found =
    all.find((each) => each.name === name) ?? all.find((each) => plain(each.name) === plain(name));
  if (found === undefined) return undefined;
  const editor = vscode.workspace.getConfiguration("editor");
  return {
    file: found.file,
    name,
    // Objects from VS Code cannot be posted to a thread as they are.
    customizations: JSON.parse(JSON.stringify(editor.get<unknown>("tokenColorCustomizations") ?? {})),
    brackets: {
      enabled: editor.get("bracketPairColorization.enabled") !== false,
      eachKindAlone: editor.get("bracketPairColorization.independentColorPoolPerBracketType") === true,
    },
  };
}

function themesOf({ packageJSON, extensionUri }: vscode.Extension<unknown>) {
  if (extensionUri.scheme !== "file") return [];
  const { themes } = fieldsOf(fieldsOf(packageJSON)["contributes"]);
  return (Array.isArray(themes) ? themes : []).flatMap((each: unknown) => {
    const { id, label, path } = fieldsOf(each);
    const name = id ?? label;
    if (typeof name !== "string" || typeof path !== "string") return [];
    return [{ name, file: join(extensionUri.fsPath, path) }];
  });
}

const plain = (name: string): string => name.replace(/^Default /, "");
