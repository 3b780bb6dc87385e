// Colours of code in the user's theme. VS Code gives webviews the colours of its UI, but not those of code; these are
// read from the theme's file in the extension that contributes it.
import * as vscode from "vscode";
import type { CodeColours } from "../../bridge/view-state.ts";
import type { Disposable } from "../../util/disposables.ts";
import { fieldsOf, parseLoosely } from "../../util/json.ts";
import type { Log } from "../../util/log.ts";
import { codeColoursOf, readTokenRules, type TokenRule } from "./internal/highlighter-colours.ts";

interface ThemeColours extends Disposable {
  /** The colours known so far. */
  readonly current: CodeColours;
  readonly onDidChange: vscode.Event<void>;
}

/** Depth limit for themes that include other themes. */
const deepest = 5;

export function createThemeColours(log: Log): ThemeColours {
  const changed = new vscode.EventEmitter<void>();
  let current: CodeColours = {};
  let asked = 0;

  const listening = [
    vscode.window.onDidChangeActiveColorTheme(look),
    vscode.workspace.onDidChangeConfiguration(
      (change) => change.affectsConfiguration("editor.tokenColorCustomizations") && look(),
    ),
  ];
  look();
  return {
    get current() {
      return current;
    },
    onDidChange: changed.event,
    dispose: () => vscode.Disposable.from(changed, ...listening).dispose(),
  };

  function look(): void {
    const mine = ++asked;
    rulesNow()
      .catch((error: unknown) => {
        log.error("The colours of the theme could not be read.", error);
        return [];
      })
      .then((rules) => {
        if (mine !== asked) return;
        current = codeColoursOf(rules);
        changed.fire();
      });
  }
}

interface Theme {
  readonly name: string;
  readonly file: vscode.Uri;
}

async function rulesNow(): Promise<readonly TokenRule[]> {
  const theme = activeTheme();
  const written = theme === undefined ? [] : await rulesIn(theme.file, deepest);
  return [...written, ...ownRules(theme?.name)];
}

async function rulesIn(file: vscode.Uri, depth: number): Promise<readonly TokenRule[]> {
  if (!file.path.endsWith(".json") || depth === 0) return [];
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const { include, tokenColors } = fieldsOf(parseLoosely(text));
  const under =
    typeof include === "string" ? await rulesIn(vscode.Uri.joinPath(file, "..", include), depth - 1) : [];
  return [...under, ...readTokenRules(tokenColors)];
}

/** The user's overrides, for all themes and for this one. */
function ownRules(theme: string | undefined): readonly TokenRule[] {
  const own = fieldsOf(vscode.workspace.getConfiguration("editor").get("tokenColorCustomizations"));
  return [own, fieldsOf(own[`[${theme}]`])].flatMap(({ textMateRules }) => readTokenRules(textMateRules));
}

/** Settings name one theme per kind, and VS Code tells which kind is shown, but not which theme. */
function activeTheme(): Theme | undefined {
  const { kind } = vscode.window.activeColorTheme;
  const workbench = vscode.workspace.getConfiguration("workbench");
  const follows = vscode.workspace.getConfiguration("window").get("autoDetectColorScheme") === true;
  const settings = ["colorTheme", preferredOf[kind]];
  const names = (follows ? settings.reverse() : settings).map((name) => plainName(workbench.get(name)));
  const shown = vscode.extensions.all.flatMap(themesOf).filter(({ ui }) => ui === uiOf[kind]);
  return names.flatMap((name) => shown.find(({ plain }) => plain.includes(name)) ?? [])[0];
}

/** VS Code used to call its own themes "Default …" and still treats both names as the same. */
const plainName = (name: unknown): unknown =>
  typeof name === "string" ? name.replace(/^Default /, "") : undefined;

const preferredOf: Readonly<Record<vscode.ColorThemeKind, string>> = {
  [vscode.ColorThemeKind.Light]: "preferredLightColorTheme",
  [vscode.ColorThemeKind.Dark]: "preferredDarkColorTheme",
  [vscode.ColorThemeKind.HighContrast]: "preferredHighContrastColorTheme",
  [vscode.ColorThemeKind.HighContrastLight]: "preferredHighContrastLightColorTheme",
};

const uiOf: Readonly<Record<vscode.ColorThemeKind, string>> = {
  [vscode.ColorThemeKind.Light]: "vs",
  [vscode.ColorThemeKind.Dark]: "vs-dark",
  [vscode.ColorThemeKind.HighContrast]: "hc-black",
  [vscode.ColorThemeKind.HighContrastLight]: "hc-light",
};

function themesOf({ packageJSON, extensionUri }: vscode.Extension<unknown>) {
  const { themes } = fieldsOf(fieldsOf(packageJSON)["contributes"]);
  return (Array.isArray(themes) ? themes : []).flatMap((theme: unknown) => {
    const { id, label, path, uiTheme } = fieldsOf(theme);
    if (typeof path !== "string") return [];
    const file = vscode.Uri.joinPath(extensionUri, path);
    return [{ name: String(id ?? label), plain: [id, label].map(plainName), ui: uiTheme, file }];
  });
}
