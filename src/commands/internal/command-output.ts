// The output of a command as plain text: without what only a terminal obeys, and, while it arrives, without secrets that
// are split across its pieces.
import { cleanText, secretMark } from "../../files/privacy.ts";

/** Sequences that set titles, colours and the cursor. An unterminated one hides no more than its own line. */
const sequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are.
  /\u001b(?:[\]PX^_][^\u0007\u001b\u009c\n]{0,2048}(?:\u0007|\u001b\\|\u009c)?|\[[0-?]{0,64}[ -/]{0,16}[@-~]?|[ -/]{0,4}[0-~]?)|\u009b[0-?]{0,64}[ -/]{0,16}[@-~]?/g;
/** A character and the one that goes back over it, as in bold text of manual pages. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are.
const overstruck = /[^\n\u0008]\u0008/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Keeps line breaks and tabs. Of a line that was written over again and again, the last state is kept. */
export function plainOutput(text: string): string {
  return text
    .replace(sequences, "")
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => lastState(line).replace(overstruck, "").replace(controls, ""))
    .join("\n");
}

function lastState(line: string): string {
  if (!line.includes("\r")) return line;
  return line.split("\r").findLast((part) => part.trim() !== "") ?? "";
}

/** What is shown of an output while it arrives. */
const shownLetters = 1600;
/** A private key has many lines: its beginning is not shown before its end is known. */
const keyBegin = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/g;
const openKey = /^-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/;
const keyEnd = /-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/;
/** What is kept of a key that does not end, besides its first line, which says that it is one. */
const keptOfKey = 64 * 1024;

/** Shows the end of an output while it arrives, by whole lines. */
export class LiveOutput {
  #pending = "";
  #shown = "";
  #cleaning: Promise<void> = Promise.resolve();

  add(piece: string): void {
    this.#pending += piece;
  }

  /** The end of what may be shown now. */
  async text(): Promise<string> {
    const cut = this.#cut();
    const ready = plainOutput(this.#pending.slice(0, cut));
    this.#pending = withoutMiddle(this.#pending.slice(cut));
    this.#cleaning = this.#cleaning.then(async () => {
      const { text } = await cleanText(ready);
      const all = this.#shown + text;
      const from = all.length <= shownLetters ? 0 : all.indexOf("\n", all.length - shownLetters) + 1;
      this.#shown = all.slice(from === 0 ? -shownLetters : from);
    });
    await this.#cleaning;
    return this.#shown;
  }

  /** Up to where it can be shown: whole lines, without a key that has begun. */
  #cut(): number {
    const end = this.#pending.lastIndexOf("\n") + 1;
    const begun = [...this.#pending.slice(0, end).matchAll(keyBegin)].at(-1)?.index;
    return begun === undefined || keyEnd.test(this.#pending.slice(begun, end)) ? end : begun;
  }
}

/** A key that has begun is not shown, whatever its length, so its middle need not be kept. */
function withoutMiddle(pending: string): string {
  const [begin] = openKey.exec(pending) ?? [];
  if (begin === undefined || pending.length <= 2 * keptOfKey) return pending;
  return `${begin}\n${pending.slice(pending.indexOf("\n", pending.length - keptOfKey) + 1)}`;
}

/** The whole output, cleaned; what is cut off is cut off later, since half a key would not be recognized. */
export async function cleanOutput(output: string): Promise<string> {
  const { text } = await cleanText(plainOutput(output));
  return withoutOpenKey(text).trimEnd();
}

/** A key whose end was cut off with the output. */
function withoutOpenKey(text: string): string {
  const begun = [...text.matchAll(keyBegin)].at(-1)?.index;
  return begun === undefined || keyEnd.test(text.slice(begun))
    ? text
    : `${text.slice(0, begun)}${secretMark}`;
}

const firstPause = 250;
const longestPause = 8000;

/** Less and less often, since every state is kept with the conversation. Returns what ends it. */
export function showWhileRunning(output: LiveOutput, live: (output: string) => Promise<void>): () => void {
  let [isOver, last, pause] = [false, "", firstPause];
  let timer: NodeJS.Timeout;
  const show = async () => {
    const text = await output.text();
    if (!isOver && text !== last) {
      last = text;
      pause = Math.min(pause * 1.3, longestPause);
      await live(text);
    }
    if (!isOver) timer = setTimeout(() => void show().catch(() => {}), pause);
  };
  timer = setTimeout(() => void show().catch(() => {}), pause);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
