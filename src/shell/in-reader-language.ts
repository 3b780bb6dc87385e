// What the core says, in the language of this editor.
import * as vscode from "vscode";
import { said } from "./said.ts";

export const inReaderLanguage = (message: string): string =>
  said(message, vscode.l10n.t, vscode.env.language);
