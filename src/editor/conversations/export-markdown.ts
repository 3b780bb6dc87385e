// A conversation as Markdown for people: questions as quotations, answers unchanged, tools and patches in one line
// each. Made from what is shown, so it contains nothing that is only sent to the service. Hidden characters are written
// out as in the panel and in a copied answer, and nothing in it loads automatically.
import { inEnglish } from "../../conversation/english.ts";
import { sentencesOf } from "../../conversation/problem.ts";
import type { Conversation, Part, PatchPart, ToolPart, Turn } from "../../conversation/state.ts";
import { codeSpan, harmlessMarkdown, withoutTabs } from "../../util/harmless-markdown.ts";
import { visible } from "../../util/hidden-characters.ts";

interface MarkdownOptions {
  readonly title: string;
  readonly reasoning: boolean;
}

export function toMarkdown({ turns }: Conversation, { title, reasoning }: MarkdownOptions): string {
  const heading = `# ${plain(title === "" ? "Conversation" : title)}`;
  const blocks = turns.flatMap((turn) => turnBlocks(turn, reasoning));
  return visible(`${[heading, ...blocks].join("\n\n")}\n`);
}

function turnBlocks(turn: Turn, reasoning: boolean): string[] {
  const parts = turn.parts.filter(({ type }) => reasoning || type !== "reasoning");
  return [
    ...(turn.compacts
      ? ["---", "*The conversation was summarized here; it goes on from the summary.*"]
      : [`## You${timeOf(turn.at)}`, ...(turn.continues ? ["*Go on.*"] : [quote(turn.prompt)])]),
    ...list([...turn.attachments, ...(turn.beside ?? [])].map(({ label }) => `Attached: ${plain(label)}`)),
    `## ${plain(turn.model)}`,
    ...parts.map(partBlock).filter((block) => block !== ""),
    ...endBlock(turn),
  ].filter((block) => block.trim() !== "");
}

function partBlock(part: Part): string {
  switch (part.type) {
    case "text":
      return harmlessMarkdown(part.text.trim());
    case "refusal":
      // On a line of its own, so that a fence at its beginning is at the margin.
      return `*The model declined:*\n\n${harmlessMarkdown(part.text.trim())}`;
    case "reasoning":
      return `<details><summary>Reasoning</summary>\n\n${fenced(part.text.trim(), "text")}\n\n</details>`;
    case "search":
      return [
        `*Searched the web:* ${plain(part.query ?? "")}`,
        ...list(part.sources.map(({ url, title }) => link(url, title ?? url))),
      ].join("\n\n");
    case "other":
      return `*Other content:* ${plain(part.kind)}`;
    case "tool":
      return `*${plain(part.name)}:* ${plain(summaryOf(part))} (${part.status})`;
    case "patch":
      return patchBlock(part);
    case "steered":
      return [
        `*You, while this was written:*`,
        quote(part.prompt),
        ...list(part.attachments.map(({ label }) => `Attached: ${plain(label)}`)),
      ].join("\n\n");
    case "note":
      return `*${plain(part.notes.map(inEnglish).join(" "))}*`;
    default:
      part satisfies never;
      return "";
  }
}

const summaryOf = ({ summary }: ToolPart): string =>
  typeof summary === "string" ? summary : inEnglish(summary);

function patchBlock({ files, status }: PatchPart): string {
  const changes = files.map(({ path, change, to, added, removed, hunks }) => {
    const diff = hunks.map((hunk) => hunk.diff ?? "").join("");
    const line = `- ${change} ${codeSpan(path)}${to === undefined ? "" : ` → ${codeSpan(to)}`}, +${added} −${removed}`;
    return diff === "" ? line : `${line}\n\n${fenced(diff.trimEnd(), "diff")}`;
  });
  return [`*Patch, ${status}:*`, ...changes].join("\n\n");
}

function endBlock({ status, reason, problem }: Turn): string[] {
  if (status === "done" || status === "running") return [];
  const why = problem === undefined ? reason : sentencesOf(problem).map(inEnglish).join(" ");
  return [`*This answer is ${status}${why === undefined ? "" : `: ${plain(why)}`}*`];
}

const list = (lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [lines.map((line) => `- ${line}`).join("\n")];

const quote = (text: string): string =>
  harmlessMarkdown(withoutTabs(visible(text).trim()))
    .replaceAll(/^/gm, "> ")
    .replaceAll(/^> $/gm, ">");

/** Uses a fence that no line of the text can close. */
function fenced(text: string, language: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Escapes text of a model or a web page so that it does not act as markup. */
const plain = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*_[\]<>#]/g, "\\$&")
    .trim();

function link(url: string, title: string): string {
  const safe = /^https?:\/\/[^\s<>]+$/i.test(url);
  return safe ? `[${plain(title)}](<${url}>)` : plain(title);
}

/** An invalid timestamp from a damaged record must not prevent the export. */
function timeOf(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  return `, ${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
