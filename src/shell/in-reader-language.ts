// What the core says, in the language of this editor.
import * as vscode from "vscode";
import type { Problem } from "../core/conversation/problem.ts";
import { said } from "./said.ts";

export const inReaderLanguage = (message: string): string =>
  said(message, vscode.l10n.t, vscode.env.language);

export const problemInReaderLanguage = (problem: Problem): Problem => ({
  ...problem,
  message: inReaderLanguage(problem.message),
});
