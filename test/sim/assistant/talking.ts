// Answers that are not about attached code: a greeting that says what can be tried, long texts, web searches.
import { cite, type Part, search, text } from "../script.ts";
import type { Conversation } from "./conversation.ts";

export function introduce({ question, attachments, wire }: Conversation): string {
  const asked = question.length > 80 ? `${question.slice(0, 80)}…` : question;
  const files = attachments.map((file) => `\`${file.path}\``);
  return [
    `You asked: *${asked.replaceAll(/[*_\n]/g, " ").trim()}*`,
    "I am the assistant built into the service simulator. No model answers here, but I read what you send. Try:",
    [
      "- **Explain** this file, or a selection of it",
      "- **Fix** the bug in `src/discount.ts`",
      "- **Rename** `total` to `sum`, **refactor**, **document**, write **tests**",
      "- **Search** the web for something, or **list** the files",
      "- Where `total` is **defined** in `src/cart.ts`, where it is **used**, the **outline** of that file, the Git **history**",
      "- **Run** `npm test`, where you let commands run",
      "- *Write 200 lines*, then press Stop",
      "- *Simulate a cut*, *simulate 429*, *simulate silence*",
    ].join("\n"),
    [
      "| What | Here |",
      "| --- | --- |",
      `| Files in this conversation | ${files.join(", ") || "none"} |`,
      `| Wire | ${wire === "chat" ? "Chat completions" : "Responses"} |`,
    ].join("\n"),
    '```ts\nconsole.log("Hello from the simulator");\n```',
  ].join("\n\n");
}

/** "Write 200 lines": as long as asked, every line different, so that nothing lost or doubled goes unseen. */
export function longText(question: string): string | undefined {
  const match =
    /\b(\d{1,6})\s+(lines|words|paragraphs|sentences)\b/i.exec(question) ??
    /count to (\d{1,6})/i.exec(question);
  if (match === null) return undefined;
  const count = Number(match[1]);
  const word = (index: number) => ["amber", "birch", "cedar", "dune", "ember", "fern", "grove"][index % 7];
  const line = (index: number) =>
    `${index + 1}. The ${word(index)} ${word(index * 3 + 1)} stands by the ${word(index * 5 + 2)}.`;
  const numbers = Array.from({ length: count }, (_, index) => index);
  if (match[2] === undefined) return numbers.map((index) => index + 1).join(" ");
  if (/words/i.test(match[2])) return numbers.map((index) => `${word(index)}-${index + 1}`).join(" ");
  return numbers.map(line).join(/paragraphs/i.test(match[2]) ? "\n\n" : "\n");
}

export function searchTheWeb({ question }: Conversation): readonly Part[] {
  const query = question
    .replace(/^.*?\b(?:search|look up|google)\b(?:\s+(?:the web|online))?(?:\s+for)?\s*/i, "")
    .replace(/[?.!]+$/, "");
  const slug = query
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  const sources = [
    { url: `https://docs.example.com/${slug}`, title: `${query} – documentation` },
    { url: `https://blog.example.org/notes-on-${slug}`, title: `Notes on ${query}` },
  ];
  const [docs, blog] = sources as [(typeof sources)[0], (typeof sources)[0]];
  const words = [
    `Two pages speak of *${query}*:`,
    "- The documentation explains how it is meant to be used.\n- The notes collect what people found out by trying.",
    "Both agree on the main point; the documentation is newer.",
  ];
  return [
    search(query, sources),
    text(
      words.join("\n\n"),
      cite(docs.url, docs.title, "The documentation"),
      cite(blog.url, blog.title, "The notes"),
    ),
  ];
}
