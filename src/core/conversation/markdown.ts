// A conversation as Markdown, to copy and to keep: what can be read in it, without what only the service understands.
import type { Part, Turn } from "./state.ts";

export interface MarkdownOptions {
  readonly title: string;
  readonly reasoning: boolean;
}

export function conversationMarkdown(turns: readonly Turn[], { title, reasoning }: MarkdownOptions): string {
  const sections = turns.flatMap((turn) => [
    section("You", [attached(turn), turn.prompt.trim()]),
    section(
      turn.model,
      turn.parts.map((part) => partMarkdown(part, reasoning)),
    ),
  ]);
  return `${paragraphs([`# ${title}`, ...sections])}\n`;
}

/** The answer alone, as it is copied. */
export const answerMarkdown = (turn: Turn): string => paragraphs(turn.parts.map(said));

function partMarkdown(part: Part, reasoning: boolean): string {
  switch (part.type) {
    case "reasoning":
      return reasoning ? part.text.trim().replace(/^/gm, "> ") : "";
    case "search":
      return part.sources.map(({ url, title }) => `- ${title ?? ""} <${url}>`).join("\n");
    case "patch": {
      const paths = part.files.map(({ path, to }) => `\`${to ?? path}\``).join(", ");
      return part.status === "applied" ? `*Edited ${paths}*` : "";
    }
    default:
      return said(part);
  }
}

const said = (part: Part): string =>
  part.type === "text" || part.type === "refusal" ? part.text.trim() : "";

/** What went out with the question, by name. */
const attached = ({ attachments }: Turn): string =>
  attachments.length === 0 ? "" : `> ${attachments.map(({ label }) => label).join(", ")}`;

function section(author: string, texts: readonly string[]): string {
  const body = paragraphs(texts);
  return body === "" ? "" : `## ${author}\n\n${body}`;
}

const paragraphs = (texts: readonly string[]): string => texts.filter((text) => text !== "").join("\n\n");
