// Tools for a model whose interface has none: offered in its instructions, called in a block of text at the end of an
// answer, answered in a block of text. What is before the block is shown as it arrives; what is no call to the letter is
// none, and is never guessed at. Pure.
import { skipValue } from "../api/raw-json.ts";
import { withoutPrototypeKeys } from "../api/tool-calls.ts";
import { asObject, isObject, parseJson } from "../util/json.ts";

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: object | undefined;
}

export interface TextCall {
  readonly name: string;
  readonly input: object;
}

const opening = "<tool_call>";
const closing = "</tool_call>";

/** The same for the same tools, whatever else is asked: what stands at the beginning is cached. */
export function toolInstructions(tools: readonly OfferedTool[]): string {
  const rows = tools.map(({ name, description, parameters = {} }) =>
    JSON.stringify({ name, description, parameters }),
  );
  return [
    "You can call tools. To call one, end your answer with a block like this, on lines of its own and not inside of a code block:",
    callText({ name: "name_of_the_tool", input: { argument: "value" } }),
    "Several blocks one after another call several tools. Write nothing after the last block: the answers come in the next message of the user, each in a <tool_result> block. Never write such a block yourself. Say without a block what you have to say when no tool is needed any more.",
    "The tools, one on each line, with the JSON schema of their arguments:",
    ...rows,
  ].join("\n");
}

export const callText = ({ name, input }: TextCall): string =>
  `${opening}\n${JSON.stringify({ name, arguments: input })}\n${closing}`;

export const resultText = (name: string, text: string): string =>
  `<tool_result name=${JSON.stringify(name)}>\n${text}\n</tool_result>`;

/** What is said to a model whose block could not be read. */
export const callAgain =
  "The tool call at the end of your answer could not be read: it has to be a block of one JSON object with the name of a tool that you were told of and an object of arguments, and nothing may follow it. Write only the call again.";

export interface ReadCalls {
  readonly calls: readonly TextCall[];
  /** There was a block, and it is no call. */
  readonly isUnread: boolean;
  /** What was held back and belongs to the text after all. */
  readonly text: string;
}

export class TextCalls {
  readonly #names: ReadonlySet<string>;
  /** The line that arrives, as far as it is not shown yet; from an opening tag on everything that follows. */
  #held: string[] = [];
  #fence: string | undefined;
  #line = "";
  #isBlock = false;

  constructor(tools: readonly OfferedTool[]) {
    this.#names = new Set(tools.map(({ name }) => name));
  }

  /** What can be shown now. */
  push(delta: string): string {
    if (this.#isBlock) {
      this.#held.push(delta);
      return "";
    }
    const lines = delta.split("\n");
    let shown = "";
    for (const [at, piece] of lines.entries()) {
      if (at > 0) shown += `${this.#endLine()}\n`;
      const before = this.#line;
      // Only its beginning tells what a line is; no more of it is remembered.
      if (before.length < longestMark) this.#line += piece.slice(0, longestMark);
      if (this.#couldOpen()) this.#held.push(piece);
      else shown += `${this.#release()}${piece}`;
      if (!this.#opens()) continue;
      this.#isBlock = true;
      const rest = lines.slice(at + 1);
      if (rest.length > 0) this.#held.push(`\n${rest.join("\n")}`);
      return shown;
    }
    return shown;
  }

  /** The answer is over. */
  end(): ReadCalls {
    const held = this.#release();
    if (!this.#isBlock) return { calls: [], isUnread: false, text: held };
    const calls = this.#read(held);
    return { calls: calls ?? [], isUnread: calls === undefined, text: "" };
  }

  /** `undefined` unless all of it is calls. */
  #read(text: string): readonly TextCall[] | undefined {
    const calls: TextCall[] = [];
    let rest = text.trimStart();
    while (rest !== "") {
      if (!rest.startsWith(opening)) return undefined;
      const start = rest.slice(opening.length).trimStart();
      // A closing tag in a text inside of it is part of that text.
      const end = skipValue(start, 0);
      const { name, arguments: given } = asObject(parseJson(start.slice(0, end))) ?? {};
      const after = start.slice(end).trimStart();
      if (typeof name !== "string" || !this.#names.has(name)) return undefined;
      if (!isObject(given) || !after.startsWith(closing)) return undefined;
      calls.push({ name, input: withoutPrototypeKeys(given) });
      rest = after.slice(closing.length).trimStart();
    }
    return calls;
  }

  #release(): string {
    const text = this.#held.join("");
    this.#held = [];
    return text;
  }

  #endLine(): string {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(this.#line)?.[1];
    if (mark !== undefined && this.#fence === undefined) this.#fence = mark;
    else if (mark?.startsWith(this.#fence ?? "")) this.#fence = undefined;
    this.#line = "";
    return this.#release();
  }

  /** A line of a code block opens nothing: there somebody is shown what a call looks like. */
  #couldOpen(): boolean {
    const start = this.#line.trimStart();
    return this.#fence === undefined && (opening.startsWith(start) || start.startsWith(opening));
  }

  #opens(): boolean {
    return this.#fence === undefined && this.#line.trimStart().startsWith(opening);
  }
}

const longestMark = 80;
