// The one tool of ours that other chats may call: how many tokens a text has, counted here. Nothing leaves the machine,
// nothing is read from it, and whoever calls learns nothing but a number about their own text.
import * as vscode from "vscode";
import { builtInModels } from "../../core/conversation/models.ts";
import type { TokenCounts } from "../../core/tokens/token-counts.ts";
import { ownTool } from "../manifest.ts";

export interface CountTokensDeps {
  /** Loaded with the first call. */
  counts(): Promise<Pick<TokenCounts, "about">>;
  defaultModel(): string;
}

const maxCharacters = 4 * 1024 * 1024;

export function registerCountTokensTool(deps: CountTokensDeps): vscode.Disposable {
  // Forks of VS Code have come without it.
  if (typeof vscode.lm?.registerTool !== "function") return new vscode.Disposable(() => undefined);
  return vscode.lm.registerTool(ownTool, {
    async invoke({ input }) {
      const text = new vscode.LanguageModelTextPart(await countTokens(input, deps));
      return new vscode.LanguageModelToolResult([text]);
    },
  });
}

/** `input` is what some model wrote. */
async function countTokens(input: unknown, deps: CountTokensDeps): Promise<string> {
  const { text, model } =
    typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  if (typeof text !== "string") return "The argument text has to be a string.";
  if (text.length > maxCharacters) return `The text is longer than ${maxCharacters} characters.`;
  const known = builtInModels.find(({ id }) => id === model)?.id ?? deps.defaultModel();
  const { tokens } = (await deps.counts()).about(known, [{ kind: "text", text }]);
  return JSON.stringify({ tokens, model: known, exact: false });
}
