// Registers commands and has their single catch. An error made to be read by people is shown as it is; anything
// else is a bug: one sentence and the log.
import * as vscode from "vscode";
import { HumanError } from "../core/util/human-error.ts";
import type { LogChannel } from "./log.ts";
import type { Command } from "./manifest.ts";

/**
 * Any extension can call a command with anything. Only the first argument is passed on, as `unknown`: a command
 * believes it where it is an item that one of our own views handed out (threats A8).
 */
export type CommandTable = Readonly<Record<Command, (argument: unknown) => unknown>>;

export function registerCommands(table: CommandTable, log: LogChannel): vscode.Disposable {
  const registered = Object.entries(table).map(([id, run]) =>
    vscode.commands.registerCommand(id, async (argument: unknown) => {
      try {
        await run(argument);
      } catch (error) {
        await report(error, log);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}

async function report(error: unknown, log: LogChannel): Promise<void> {
  if (error instanceof Error && error.name === "AbortError") return;
  if (error instanceof HumanError) {
    void vscode.window.showErrorMessage(error.message);
    return;
  }
  log.error("A command failed.", error);
  const openLog = vscode.l10n.t("Open Log");
  const chosen = await vscode.window.showErrorMessage(
    vscode.l10n.t("Something went wrong in Patchbay."),
    openLog,
  );
  if (chosen === openLog) log.show();
}
