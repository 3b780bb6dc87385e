// Registers commands and has their single catch.
import * as vscode from "vscode";
import { type Command, commands } from "./manifest.ts";

/**
 * Any extension can call a command with anything. What VS Code passes (the item it was called on, all selected items)
 * is passed on as `unknown`: a command believes it only as far as it can check it (threats A8).
 */
export type Run = (argument: unknown, all: unknown, ...more: readonly unknown[]) => unknown;
export type Commands<Ids extends Command = Command> = Readonly<Record<Ids, Run>>;

/** Those of `here` run at once; all others of the manifest open the rooms they are in first. */
export function registerCommands<Here extends Command>(
  here: Commands<Here>,
  others: () => Promise<Commands<Exclude<Command, Here>>>,
  report: (error: unknown) => Promise<void>,
): vscode.Disposable {
  const isHere = (id: Command): id is Here => Object.hasOwn(here, id);
  const find = async (id: Command): Promise<Run> =>
    isHere(id) ? here[id] : (await others())[id as Exclude<Command, Here>];

  const registered = Object.values(commands).map((id) =>
    vscode.commands.registerCommand(id, async (...given: readonly unknown[]) => {
      try {
        const run = await find(id);
        const [argument, all, ...more] = given;
        await run(argument, all, ...more);
      } catch (error) {
        await report(error);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}
