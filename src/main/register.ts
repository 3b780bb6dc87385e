// What is registered at activation and opens the container at first use: commands, placeholders of views, the tool for
// other chats.
import * as vscode from "vscode";
import { type Command, commands, ownTool } from "../editor/manifest.ts";

/**
 * Any extension can call a command with any arguments. What VS Code passes (the item it was called on, all selected
 * items) is passed on as `unknown`: a command trusts only what it can check (threats A8).
 */
type Run = (argument: unknown, all: unknown, ...more: readonly unknown[]) => unknown;
type Commands<Ids extends Command = Command> = Readonly<Record<Ids, Run>>;

/**
 * Registers commands and handles their errors in one place. Commands in `here` run immediately; all other commands of
 * the manifest open the container first.
 */
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

/**
 * Placeholders for the lists until the container is open: VS Code requests the rows of a view when it becomes visible,
 * which opens the container. That registers the real lists, which are then asked for their rows. `open` is told which
 * list became visible. It must dispose the returned placeholders before it registers the real views, since a view can
 * have only one list.
 */
export function registerPlaceholders(
  views: readonly string[],
  open: (view: string) => Promise<unknown>,
): vscode.Disposable {
  const empty = (view: string): vscode.TreeDataProvider<never> => ({
    async getChildren() {
      await open(view);
      return [];
    },
    getTreeItem: (node) => node,
  });
  return vscode.Disposable.from(
    ...views.map((view) => vscode.window.registerTreeDataProvider(view, empty(view))),
  );
}

/**
 * Our tool for other chats: counts the tokens of a text locally. It sends and reads nothing, and callers learn nothing
 * but a number about their own text. `count` is loaded at the first call. Its argument was written by some model.
 */
export function registerCountTokensTool(count: (input: unknown) => Promise<string>): vscode.Disposable {
  // Missing in some forks of VS Code.
  if (typeof vscode.lm?.registerTool !== "function") return new vscode.Disposable(() => undefined);
  return vscode.lm.registerTool(ownTool, {
    async invoke({ input }) {
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(await count(input))]);
    },
  });
}
