// The light bulb: "Fix with Patchbay" on a problem, "Edit with Patchbay…" on a selection. Made without any work, never
// preferred – what is preferred runs by itself – and gone when the setting says so or the folder is not trusted.
import * as vscode from "vscode";
import { valuesAt } from "../inspect-settings.ts";
import { commands } from "../manifest.ts";
import { effective } from "../workspace-settings.ts";
import type { CodePlace } from "./edit-commands.ts";
import { problemWords } from "./problems-here.ts";

export interface CodeActions extends vscode.Disposable {
  /** Only a place that was handed out here is believed when it comes back (threats A8). */
  placeOf(argument: unknown): CodePlace | undefined;
}

const kinds = {
  fix: vscode.CodeActionKind.QuickFix.append("patchbay"),
  edit: vscode.CodeActionKind.RefactorRewrite.append("patchbay"),
} as const;

export function createCodeActions(): CodeActions {
  const handedOut = new WeakSet<object>();

  function action(title: string, kind: vscode.CodeActionKind, command: string, place: CodePlace) {
    handedOut.add(place);
    const made = new vscode.CodeAction(title, kind);
    made.command = { command, title, arguments: [place] };
    return made;
  }

  const provider: vscode.CodeActionProvider = {
    provideCodeActions(document, range, { diagnostics, only }) {
      if (!isOn(document)) return [];
      const actions: vscode.CodeAction[] = [];
      const [problem] = diagnostics;
      if (problem !== undefined && (only === undefined || only.contains(kinds.fix))) {
        // All that is wrong at one place is mended at once.
        const words = diagnostics.map(problemWords);
        const place = { document, range: problem.range, problem: words.join("\n") };
        const [first = ""] = words;
        const title =
          words.length === 1
            ? vscode.l10n.t("Fix with Patchbay: {0}", first)
            : vscode.l10n.t("Fix {0} Problems with Patchbay", words.length);
        const made = action(title, kinds.fix, commands.fix, place);
        made.diagnostics = [...diagnostics];
        actions.push(made);
      }
      if (!range.isEmpty && (only === undefined || only.contains(kinds.edit)))
        actions.push(
          action(vscode.l10n.t("Edit with Patchbay…"), kinds.edit, commands.editHere, {
            document,
            range,
          }),
        );
      return actions;
    },
  };
  const registered = vscode.languages.registerCodeActionsProvider({ pattern: "**" }, provider, {
    providedCodeActionKinds: [kinds.fix, kinds.edit],
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
  const key = "codeActions.enabled";
  return effective(key, valuesAt(key, document.uri), () => false) === true;
}
