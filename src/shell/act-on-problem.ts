// What the buttons of a problem do where the assistant does not know it: the editor's own commands.
import * as vscode from "vscode";
import type { ProblemAction } from "../core/conversation/problem.ts";
import { commands, detection } from "./manifest.ts";

export function actOnProblem(action: ProblemAction): void {
  const command = commandsOf[action];
  if (command !== undefined) void vscode.commands.executeCommand(...command);
}

const commandsOf: Partial<Record<ProblemAction, readonly [command: string, ...given: string[]]>> = {
  "set-base-url": [commands.setBaseUrl],
  "set-key": [commands.setKey],
  "proxy-help": ["workbench.action.openSettings"],
  "connection-check": [commands.checkConnection],
  "detect-features": [commands.checkConnection, detection],
  "open-log": [commands.showLog],
};
