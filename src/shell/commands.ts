// Registers commands and has their single catch.
import * as vscode from "vscode";
import type { LogChannel } from "./log.ts";
import type { Command } from "./manifest.ts";
import { reportError } from "./report-error.ts";

/**
 * Any extension can call a command with anything. What VS Code passes (the item it was called on, all selected items)
 * is passed on as `unknown`: a command believes it only as far as it can check it (threats A8).
 */
export type CommandTable = Readonly<Record<Command, (argument: unknown, all: unknown) => unknown>>;

export function registerCommands(table: CommandTable, log: LogChannel): vscode.Disposable {
  const registered = Object.entries(table).map(([id, run]) =>
    vscode.commands.registerCommand(id, async (argument: unknown, all: unknown) => {
      try {
        await run(argument, all);
      } catch (error) {
        await reportError(error, log);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}
