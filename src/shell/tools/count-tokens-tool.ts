// The one tool of ours that other chats may call: how many tokens a text has, counted here. Nothing leaves the machine,
// nothing is read from it, and whoever calls learns nothing but a number about their own text.
import * as vscode from "vscode";
import { ownTool } from "../manifest.ts";

/** `count` is loaded with the first call; its argument is what some model wrote. */
export function registerCountTokensTool(count: (input: unknown) => Promise<string>): vscode.Disposable {
  // Forks of VS Code have come without it.
  if (typeof vscode.lm?.registerTool !== "function") return new vscode.Disposable(() => undefined);
  return vscode.lm.registerTool(ownTool, {
    async invoke({ input }) {
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(await count(input))]);
    },
  });
}
