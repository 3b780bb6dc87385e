// A turn as Markdown, for the clipboard: what can be read in it, without what only the service understands.
import type { Part, Turn } from "../core/conversation/state.ts";

export function answerMarkdown(turn: Turn): string {
  return turn.parts
    .map(partMarkdown)
    .filter((text) => text !== "")
    .join("\n\n");
}

function partMarkdown(part: Part): string {
  return part.type === "text" || part.type === "refusal" ? part.text.trim() : "";
}
