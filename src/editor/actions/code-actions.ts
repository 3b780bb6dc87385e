// Code actions (light bulb): "Fix" and "Explain with Patchbay" on a problem, "Edit with Patchbay…" and "Explain" on a
// selection.
import * as vscode from "vscode";
import { commands } from "../manifest.ts";
import { effectiveAt } from "../settings/read-settings.ts";
import type { CodePlace } from "./edit-commands.ts";

/** At most this many are named in the question; all of them are attached. */
const maxNamed = 20;
const maxWords = 200;

/** A problem's message on one line. */
const problemWords = ({ message }: vscode.Diagnostic): string =>
  message.replace(/\s+/g, " ").trim().slice(0, maxWords);

/**
 * Returns the problems that the editor shows where an action applies: at the cursor or in the selection; if there are
 * none, in the whole file; `undefined` if the editor shows no problems. Their text comes from language servers; callers
 * decide whether it may be sent.
 */
export function problemsHere({
  document,
  range,
}: CodePlace): Required<Pick<CodePlace, "range" | "problem">> | undefined {
  const all = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ severity }) => severity !== vscode.DiagnosticSeverity.Hint)
    .toSorted((one, other) => one.range.start.compareTo(other.range.start));
  const isHere = ({ range: { start, end } }: vscode.Diagnostic) =>
    start.line <= range.end.line && end.line >= range.start.line;
  const here = all.filter(isHere);
  const named = (here.length > 0 ? here : all).slice(0, maxNamed);
  const [first, ...others] = named;
  if (first === undefined) return undefined;
  const words = others.length === 0 ? problemWords : withLine;
  const problem = named.map(words).join("\n");
  if (here.length > 0) return { range, problem };
  return { range: others.reduce((whole, each) => whole.union(each.range), first.range), problem };
}

const withLine = (problem: vscode.Diagnostic): string =>
  `${vscode.l10n.t("line {0}", problem.range.start.line + 1)}: ${problemWords(problem)}`;

export interface CodeActions extends vscode.Disposable {
  /** Accepts only a place that was handed out here (threats A8). */
  placeOf(argument: unknown): CodePlace | undefined;
}

const kinds = {
  fix: vscode.CodeActionKind.QuickFix.append("patchbay"),
  edit: vscode.CodeActionKind.RefactorRewrite.append("patchbay"),
  explain: vscode.CodeActionKind.Empty.append("explain.patchbay"),
} as const;

/**
 * Creates the code actions. Invoked by key without a selection, they apply to the function or line at the cursor. They
 * cost no work to create, are never preferred, since preferred actions may run unasked, and are absent when the setting
 * is off or the folder is not trusted.
 */
export function createCodeActions(): CodeActions {
  const handedOut = new WeakSet<object>();

  function action(title: string, kind: vscode.CodeActionKind, command: string, place: CodePlace) {
    handedOut.add(place);
    const made = new vscode.CodeAction(title, kind);
    made.command = { command, title, arguments: [place] };
    return made;
  }

  const provider: vscode.CodeActionProvider = {
    provideCodeActions(document, range, { diagnostics, only, triggerKind }) {
      if (!isOn(document)) return [];
      const actions: vscode.CodeAction[] = [];
      const [problem] = diagnostics;
      if (problem !== undefined && (only === undefined || only.contains(kinds.fix))) {
        // All problems at one place are fixed together.
        const words = diagnostics.map(problemWords);
        const place = { document, range: problem.range, problem: words.join("\n") };
        const [first = ""] = words;
        const title =
          words.length === 1
            ? vscode.l10n.t("Fix with Patchbay: {0}", first)
            : vscode.l10n.t("Fix {0} Problems with Patchbay", words.length);
        const made = action(title, kinds.fix, commands.fix, place);
        const explained = action(vscode.l10n.t("Explain with Patchbay"), kinds.fix, commands.explain, place);
        for (const each of [made, explained]) each.diagnostics = [...diagnostics];
        actions.push(made, explained);
      }
      // Without a selection, an automatic light bulb would appear everywhere.
      if (range.isEmpty && triggerKind !== vscode.CodeActionTriggerKind.Invoke) return actions;
      const place = { document, range };
      if (only === undefined || only.contains(kinds.edit))
        actions.push(action(vscode.l10n.t("Edit with Patchbay…"), kinds.edit, commands.editHere, place));
      const isBlank = range.isEmpty && document.lineAt(range.start.line).isEmptyOrWhitespace;
      if (problem === undefined && !isBlank && (only === undefined || only.contains(kinds.explain)))
        actions.push(action(vscode.l10n.t("Explain with Patchbay"), kinds.explain, commands.explain, place));
      return actions;
    },
  };
  const registered = vscode.languages.registerCodeActionsProvider({ pattern: "**" }, provider, {
    providedCodeActionKinds: [kinds.fix, kinds.edit, kinds.explain],
  });
  return {
    placeOf: (argument) =>
      typeof argument === "object" && argument !== null && handedOut.has(argument)
        ? (argument as CodePlace)
        : undefined,
    dispose: () => registered.dispose(),
  };
}

function isOn(document: vscode.TextDocument): boolean {
  if (!vscode.workspace.isTrusted || document.uri.scheme.startsWith("patchbay")) return false;
  return effectiveAt("codeActions.enabled", "off", document.uri) === true;
}
