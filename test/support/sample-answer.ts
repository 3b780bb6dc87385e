// Answers as models write them, of any length, the same every time: what benchmarks and long tests feed.

const words =
  "the parser reads each line and keeps what it has seen so that nothing above the open block is drawn again while a reply still streams in from the service and the reader follows along without a jump or flicker".split(
    " ",
  );

/** A small deterministic generator: the same numbers on every machine. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Next = (below: number) => number;

const sentence = (next: Next, length = 8 + next(14)): string =>
  Array.from({ length }, () => {
    const word = words[next(words.length)] ?? "";
    switch (next(24)) {
      case 0:
        return `**${word}**`;
      case 1:
        return `\`${word}()\``;
      case 2:
        return `*${word}*`;
      case 3:
        return `[${word}](https://example.com/${word})`;
      default:
        return word;
    }
  }).join(" ");

const paragraph = (next: Next): string =>
  Array.from({ length: 2 + next(4) }, () => `${sentence(next)}.`).join(" ");
const list = (next: Next): string =>
  Array.from({ length: 3 + next(6) }, (_, index) =>
    next(4) === 0
      ? `- ${sentence(next)}\n  - ${sentence(next)}`
      : `${index === 0 ? "-" : "-"} ${sentence(next)}`,
  ).join("\n");
const steps = (next: Next): string =>
  Array.from({ length: 3 + next(4) }, (_, index) => `${index + 1}. ${sentence(next)}`).join("\n");

const codeLine = (next: Next, index: number): string =>
  index % 7 === 0
    ? `  // ${Array.from({ length: 6 }, () => words[next(words.length)]).join(" ")}`
    : `  const ${words[next(words.length)]}${index} = await read("${words[next(words.length)]}", { line: ${next(900)} });`;
export const codeOf = (lines: number, seed = 1): string => {
  const next = numbers(seed);
  return Array.from({ length: lines }, (_, index) => codeLine(next, index)).join("\n");
};
const fence = (next: Next): string => `\`\`\`ts\n${codeOf(6 + next(40), next(1000))}\n\`\`\``;
const table = (next: Next): string =>
  ["| name | what it does | since |", "|:--|---|--:|"]
    .concat(
      Array.from(
        { length: 4 + next(8) },
        () => `| \`${words[next(words.length)]}\` | ${sentence(next, 6)} | ${next(99)} |`,
      ),
    )
    .join("\n");
const quote = (next: Next): string => `> ${sentence(next)}\n>\n> ${sentence(next)}`;
const heading = (next: Next): string => `${"#".repeat(2 + next(2))} ${sentence(next, 5)}`;

const kinds = [
  paragraph,
  paragraph,
  paragraph,
  list,
  heading,
  fence,
  steps,
  paragraph,
  table,
  quote,
  paragraph,
];

/** About `size` characters of everything an answer has. */
export function sampleAnswer(size: number, seed = 7): string {
  const next = numbers(seed);
  let text = "";
  for (let index = 0; text.length < size; index += 1) text += `${kinds[index % kinds.length]?.(next)}\n\n`;
  return text;
}

const long = (size: number, line: (next: Next, index: number) => string, separator = "\n"): string => {
  const next = numbers(11);
  const lines: string[] = [];
  for (let length = 0; length < size; length += (lines.at(-1)?.length ?? 0) + separator.length)
    lines.push(line(next, lines.length));
  return lines.join(separator);
};

/** One block that is all there is. */
export const longBlocks: Readonly<Record<string, (size: number) => string>> = {
  list: (size) => long(size, (next) => `- ${sentence(next)}`),
  table: (size) =>
    `| a | b | c |\n|---|---|---|\n${long(size, (next) => `| ${sentence(next, 5)} | ${next(99)} | x |`)}`,
  fence: (size) => `\`\`\`ts\n${long(size, codeLine)}\n\`\`\``,
  paragraph: (size) => long(size, (next) => `${sentence(next)}.`, " "),
  quote: (size) => long(size, (next) => `> ${sentence(next)}\n>`),
  "code in an item": (size) =>
    `1. Do this:\n\n   \`\`\`ts\n${long(size, (next, index) => `   ${codeLine(next, index)}`)}\n   \`\`\``,
};
