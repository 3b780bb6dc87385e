// An answer as Markdown, to copy: its text, as it was written.
import type { Turn } from "./state.ts";

export const answerMarkdown = (turn: Turn): string =>
  turn.parts
    .map((part) => (part.type === "text" || part.type === "refusal" ? part.text.trim() : ""))
    .filter((text) => text !== "")
    .join("\n\n");
