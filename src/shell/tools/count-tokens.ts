// What the tool that counts for other chats answers (count-tokens-tool.ts).
import { builtInModels } from "../../core/conversation/models.ts";
import type { TokenCounts } from "../../core/tokens/token-counts.ts";

const maxCharacters = 4 * 1024 * 1024;

/** `input` is what some model wrote. */
export function countTokens(
  input: unknown,
  counts: Pick<TokenCounts, "about">,
  defaultModel: string,
): string {
  const { text, model } =
    typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {};
  if (typeof text !== "string") return "The argument text has to be a string.";
  if (text.length > maxCharacters) return `The text is longer than ${maxCharacters} characters.`;
  const known = builtInModels.find(({ id }) => id === model)?.id ?? defaultModel;
  const { tokens } = counts.about(known, [{ kind: "text", text }]);
  return JSON.stringify({ tokens, model: known, exact: false });
}
