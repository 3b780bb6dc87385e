// What the eye is told about a growing reply: each thing once, and nothing that could not be drawn yet. Knows items
// and parts, nothing of how they came to be.
import { type LiveItem, type LivePart, partOf } from "./live-items.ts";
import type { Citation, OutputItem, ReplyEvent, Source } from "./reply.ts";
import type { Correction } from "./text-part.ts";
import { customCallTypes } from "./unspecified.ts";

export class Screen {
  #events: ReplyEvent[] = [];
  /** What was told of each text. */
  readonly #cited = new Map<string, string>();
  /** Something was shown or received whole. */
  visible = false;

  take(): ReplyEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  text(item: LiveItem, part: LivePart, correction: Correction): void {
    const { family, key } = part;
    if (family === "input") this.#input(item, correction);
    else if (correction.type === "replace") this.#tell({ type: "replace", part: key, text: correction.text });
    else if (family === "text" || family === "refusal") {
      this.#tell({ type: family, part: key, delta: correction.delta });
    } else this.#tell({ type: "reasoning", part: key, delta: correction.delta, form: family });
  }

  /** Input that came before the call's name was held back: nothing could be drawn around it. */
  call(item: LiveItem, name: string, callId: string | undefined): void {
    if (callId !== undefined && callId !== "" && item.call.callId === "") item.call.callId = callId;
    if (item.call.announced || name === "") return;
    item.call = { ...item.call, announced: true, name };
    const kind = customCallTypes.has(item.type) ? ("custom" as const) : ("function" as const);
    const event = { type: "call" as const, item: item.key, name, kind };
    this.#tell(callId === undefined || callId === "" ? event : { ...event, callId });
    const sofar = partOf(item, "input", 0).text.text;
    if (sofar !== "") this.#tell({ type: "call-input", item: item.key, delta: sofar });
  }

  cited({ key }: LivePart, citations: readonly Citation[]): void {
    const now = JSON.stringify(citations);
    if (now === (this.#cited.get(key) ?? "[]")) return;
    this.#cited.set(key, now);
    this.#tell({ type: "cited", part: key, citations });
  }

  search(item: LiveItem, sources: readonly Source[], images: readonly Source[]): void {
    const { status, query, shown } = item.search;
    const now = JSON.stringify([status, query, sources, images]);
    if (now === shown) return;
    item.search = { ...item.search, shown: now };
    const event = { type: "search" as const, item: item.key, status, sources, images };
    this.#tell(query === undefined ? event : { ...event, query });
  }

  item(item: OutputItem): void {
    this.#tell({ type: "item", item });
  }

  #input(item: LiveItem, correction: Correction): void {
    if (!item.call.announced) return;
    if (correction.type === "more") {
      this.#tell({ type: "call-input", item: item.key, delta: correction.delta });
    } else this.#tell({ type: "replace", part: item.key, text: correction.text });
  }

  #tell(event: ReplyEvent): void {
    this.visible = true;
    this.#events.push(event);
  }
}
