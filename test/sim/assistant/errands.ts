// Small errands that an editor sends beside a conversation: titles, progress messages, new names, messages of commits,
// summaries. Each has its own instructions, and none wants to be talked to.
import { changedIn } from "./attachments.ts";
import { requestIn } from "./editor-frames.ts";

type Errand = (message: string, messages: readonly string[]) => string | undefined;

const errands: readonly Errand[] = [title, progressMessages, progressMessage, names, commit, summary];

/** The answer where the last of these messages of a user is an errand. */
export function errand(messages: readonly string[]): string | undefined {
  const message = messages.at(-1) ?? "";
  for (const one of errands) {
    const answer = one(message, messages);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

function title(message: string): string | undefined {
  const request = /^Please write a brief title for the following request:\s*([\s\S]+)/.exec(message)?.[1];
  if (request === undefined) return undefined;
  const words = (request.split("\n")[0] ?? "").split(/\s+/).filter((word) => !/^(?:an?|the)$/i.test(word));
  const short = words
    .slice(0, 6)
    .join(" ")
    .replace(/[.?!:,]+$/, "");
  return short.charAt(0).toUpperCase() + short.slice(1);
}

const waiting = [
  "Warming up the keyboard",
  "Lining up the brackets",
  "Counting every semicolon",
  "Naming things with care",
  "Untangling the loops",
  "Reading between the lines",
  "Sharpening the arrows",
  "Folding the functions",
  "Polishing the edges",
  "Almost there now",
  "Chasing the last bug",
  "Putting it all together",
];

function progressMessages(message: string): string | undefined {
  const count = /generate exactly (\d+) unique progress messages/.exec(message)?.[1];
  return count === undefined ? undefined : JSON.stringify(waiting.slice(0, Number(count)));
}

function progressMessage(message: string): string | undefined {
  if (!message.includes("Generate a single short progress message")) return undefined;
  if (/\b(fix|bug)\b/i.test(message)) return "Hunting down the bug";
  return /\b(docs?|document|comments?)\b/i.test(message) ? "Finding the right words" : "Shaping your code";
}

function names(message: string): string | undefined {
  const name = /array of strings of at least \w+ new names for `(\w+)`/.exec(message)?.[1];
  if (name === undefined) return undefined;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_");
  const rest = words.length > 1 ? words.slice(1) : words;
  const made = [
    [...words, "text"],
    [...rest, "text"],
    ["to", ...rest],
    ["describe", ...rest],
  ];
  return JSON.stringify(made.map((each) => likeNamed(name, each)));
}

/** As its neighbours are written: `snake_case`, `PascalCase` or `camelCase`. */
function likeNamed(name: string, words: readonly string[]): string {
  if (name.includes("_")) return words.join("_");
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const [first = "", ...more] = words;
  return `${/^[A-Z]/.test(name) ? capital(first) : first}${more.map(capital).join("")}`;
}

function commit(message: string): string | undefined {
  if (!/generate a commit messages? that describe/.test(message)) return undefined;
  const paths = changedIn(message).slice(0, 2);
  return `\`\`\`text\nChange ${paths.join(" and ") || "the workspace"}\n\`\`\``;
}

function summary(message: string, messages: readonly string[]): string | undefined {
  if (!message.startsWith("Summarize the conversation history so far")) return undefined;
  const asked = messages.flatMap((each) => requestIn(each)?.trim() ?? []);
  return `<summary>\nThe user asked:\n${asked.map((each) => `- ${each}`).join("\n") || "- nothing yet"}\n</summary>`;
}
