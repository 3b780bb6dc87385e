// Extracts a model's own markup that a chat server left in the text: thoughts in <think> tags at the beginning, and
// calls as Kimi's tokens. Both are removed as they arrive; an incomplete mark is held back.
import type { JsonObject } from "../../util/json.ts";

export interface Marked {
  readonly text: string;
  readonly thought: string;
  /** In the form of chat completions. */
  readonly calls: readonly JsonObject[];
}

const openings = ["<think>", "<thinking>"];
const section = "<|tool_calls_section_begin|>";
const sectionEnd = "<|tool_calls_section_end|>";
/** White space that may come before thoughts. */
const longestLead = 1_000;

export class MarkedText {
  #at: "start" | "thought" | "after" | "text" | "calls" = "start";
  #held = "";
  #closing = "";
  /** The current line, as far as needed to recognize a fence. */
  #line = "";
  #isFenced = false;
  /** What was read of a section of calls; only its end is searched again, since arguments may come in many deltas. */
  #inside = "";

  push(delta: string): Marked {
    this.#held += delta;
    return this.#take(false);
  }

  /** Nothing more follows: text that was held back is shown as it is. */
  end(): Marked {
    return this.#take(true);
  }

  #take(isOver: boolean): Marked {
    let text = "";
    let thought = "";
    const calls: JsonObject[] = [];
    for (let before = ""; before !== `${this.#at} ${this.#held.length}`; ) {
      before = `${this.#at} ${this.#held.length}`;
      if (this.#at === "start") this.#start(isOver);
      else if (this.#at === "thought") thought += this.#until(this.#closing, "after", isOver);
      else if (this.#at === "after") this.#skipBlank();
      else if (this.#at === "text") text += this.#plain(isOver);
      else text += this.#called(calls, isOver);
    }
    return { text, thought, calls };
  }

  #start(isOver: boolean): void {
    const start = this.#held.trimStart();
    const opening = openings.find((each) => start.startsWith(each));
    if (opening !== undefined) {
      this.#held = start.slice(opening.length);
      this.#closing = opening.replace("<", "</");
      this.#at = "thought";
      return;
    }
    const isLong = this.#held.length > longestLead;
    if (isOver || isLong || !openings.some((each) => each.startsWith(start))) this.#at = "text";
  }

  /** Blank lines after the thoughts are not part of the response. */
  #skipBlank(): void {
    this.#held = this.#held.trimStart();
    if (this.#held !== "") this.#at = "text";
  }

  #until(mark: string, next: "after" | "calls", isOver: boolean): string {
    const at = this.#held.indexOf(mark);
    const end = at >= 0 ? at : isOver ? this.#held.length : this.#held.length - halfOf(mark, this.#held);
    const before = this.#held.slice(0, end);
    this.#held = this.#held.slice(at >= 0 ? at + mark.length : end);
    if (at >= 0) this.#at = next;
    return before;
  }

  /** Marks in a code block are an example, and stay. */
  #plain(isOver: boolean): string {
    const before = this.#until(section, "calls", isOver);
    this.#read(before);
    if (this.#at !== "calls" || !this.#isFenced) return before;
    this.#at = "text";
    return before + section;
  }

  #read(text: string): void {
    const lines = text.split("\n");
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#line = "";
      const isNew = this.#line.length < 8;
      if (!isNew) continue;
      const was = isFence(this.#line);
      this.#line = (this.#line + line).slice(0, 8);
      if (!was && isFence(this.#line)) this.#isFenced = !this.#isFenced;
    }
  }

  #called(calls: JsonObject[], isOver: boolean): string {
    const end = this.#held.indexOf(sectionEnd);
    const read = end >= 0 ? end : this.#held.length - (isOver ? 0 : halfOf(sectionEnd, this.#held));
    this.#inside += this.#held.slice(0, read);
    if (end < 0 && !isOver) {
      this.#held = this.#held.slice(read);
      return "";
    }
    const inside = this.#inside;
    this.#inside = "";
    const found = callsIn(inside);
    for (const call of found) calls.push(call);
    const rest = end < 0 ? "" : this.#held.slice(end + sectionEnd.length);
    this.#held = rest;
    this.#at = "text";
    return found.length > 0 || inside.trim() === "" ? "" : section + inside + (end < 0 ? "" : sectionEnd);
  }
}

const isFence = (line: string): boolean => /^ {0,3}(?:```|~~~)/.test(line);

/** How many characters at the end of the text may begin the mark. */
function halfOf(mark: string, text: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}

const callStart = /<\|tool_call_begin\|>\s{0,9}([^<]{1,200}?)\s{0,9}<\|tool_call_argument_begin\|>/g;
const callEnd = "<|tool_call_end|>";

/** `functions.read_file:0` is the call's ID and contains the name of its tool. Linear, whatever the text repeats. */
function callsIn(text: string): JsonObject[] {
  const calls: JsonObject[] = [];
  let end = 0;
  for (const { index, 0: start, 1: id = "" } of text.matchAll(callStart)) {
    // It is part of the arguments before it.
    if (index < end) continue;
    const from = index + start.length;
    end = text.indexOf(callEnd, from);
    // No later call ends, either.
    if (end < 0) break;
    const name = id.replace(/^functions\./, "").replace(/:\d+$/, "");
    calls.push({ id, function: { name, arguments: text.slice(from, end).trim() } });
  }
  return calls;
}
