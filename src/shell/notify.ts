// What is told in a corner of the window, while the work goes on. Dialogs, which wait for an answer, know no links.
import * as vscode from "vscode";
import { withoutLinks } from "./without-links.ts";

export const showInformation = <T extends string>(message: string, ...buttons: readonly T[]) =>
  vscode.window.showInformationMessage(withoutLinks(message), ...buttons);

export const showWarning = <T extends string>(message: string, ...buttons: readonly T[]) =>
  vscode.window.showWarningMessage(withoutLinks(message), ...buttons);

export const showError = <T extends string>(message: string, ...buttons: readonly T[]) =>
  vscode.window.showErrorMessage(withoutLinks(message), ...buttons);
