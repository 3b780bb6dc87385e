// The events of a Responses stream, as a pure function of a turn. Order and fields follow the de-facto standard.
import { cutIntoDeltas, type Form } from "./form.ts";
import type { JsonObject } from "./json.ts";
import { annotations, finalItem, finalPart, itemId, openItem, openPart } from "./response-items.ts";
import { finalOutput, finalSnapshot, type ReplyContext, snapshot } from "./response-object.ts";
import type { Piece, TextPart, Turn } from "./turn.ts";

/** One item's events: opening, what grows, closing. Two strands may be woven into each other. */
interface Strand {
  readonly open: JsonObject;
  readonly grow: readonly JsonObject[];
  readonly close: readonly JsonObject[];
}

export function responseEvents(turn: Turn, context: ReplyContext, form: Form): readonly JsonObject[] {
  const events: JsonObject[] = [
    { type: "response.created", response: snapshot(context, {}) },
    { type: "response.in_progress", response: snapshot(context, {}) },
  ];
  const strands = turn.pieces.map((_, index) => strand(turn, index, context, form));
  for (const group of groups(turn, form))
    events.push(...weave(group.map((index) => strands[index] as Strand)));
  events.push(...endEvents(turn, context));
  return form.sequenceNumbers ? events.map(numbered) : events;
}

function numbered({ type, ...rest }: JsonObject, sequence: number): JsonObject {
  return { type, sequence_number: sequence, ...rest };
}

/** Indices of items that arrive together: neighbouring calls when the form says so, else each alone. */
function groups(turn: Turn, form: Form): readonly (readonly number[])[] {
  const isCall = (index: number) => ["call", "patch"].includes(turn.pieces[index]?.kind ?? "");
  const made: number[][] = [];
  for (const index of turn.pieces.keys()) {
    const last = made.at(-1);
    if (form.interleaved && last !== undefined && isCall(index) && isCall(index - 1)) last.push(index);
    else made.push([index]);
  }
  return made;
}

function weave(strands: readonly Strand[]): readonly JsonObject[] {
  const longest = Math.max(...strands.map((each) => each.grow.length));
  const turns = Array.from({ length: longest }, (_, step) =>
    strands.flatMap((each) => each.grow.slice(step, step + 1)),
  );
  return [...strands.map((each) => each.open), ...turns.flat(), ...strands.flatMap((each) => each.close)];
}

function strand(turn: Turn, index: number, context: ReplyContext, form: Form): Strand {
  const piece = turn.pieces[index] as Piece;
  const place = { item_id: itemId(piece, index, context.serial), output_index: index };
  const { grow, close } = body(piece, place, form);
  // A turn that fails or breaks does so in the middle of its last item.
  const open = {
    type: "response.output_item.added",
    output_index: index,
    item: openItem(piece, index, context),
  };
  const broken = ["failed", "error"].includes(turn.ending.kind) && index === turn.pieces.length - 1;
  if (broken) return { open, grow, close: [] };
  const status =
    turn.ending.kind === "incomplete" && index === turn.pieces.length - 1 ? "incomplete" : "completed";
  const item = finalItem(piece, index, context, status);
  return { open, grow, close: [...close, { type: "response.output_item.done", output_index: index, item }] };
}

type Place = { readonly item_id: string; readonly output_index: number };
type Body = { readonly grow: readonly JsonObject[]; readonly close: readonly JsonObject[] };

function body(piece: Piece, place: Place, form: Form): Body {
  switch (piece.kind) {
    case "message":
      return {
        grow: piece.parts.flatMap((part, index) =>
          contentPart(part, { ...place, content_index: index }, form),
        ),
        close: [],
      };
    case "reasoning":
      return {
        grow: [...summaries(piece.summary, place, form), ...rawReasoning(piece.raw, place, form)],
        close: [],
      };
    case "call":
      return {
        grow: deltas("response.function_call_arguments.delta", piece.arguments, place, form),
        close: [
          {
            type: "response.function_call_arguments.done",
            ...place,
            name: piece.name,
            arguments: piece.arguments,
          },
        ],
      };
    case "patch":
      return {
        grow: deltas("response.custom_tool_call_input.delta", piece.input, place, form),
        close: [{ type: "response.custom_tool_call_input.done", ...place, input: piece.input }],
      };
    case "search":
      return {
        grow: ["in_progress", "searching", "completed"].map((state) => ({
          type: `response.web_search_call.${state}`,
          ...place,
        })),
        close: [],
      };
    case "item":
      return { grow: [], close: [] };
    default:
      return piece satisfies never;
  }
}

function deltas(type: string, text: string, place: JsonObject, form: Form): readonly JsonObject[] {
  return cutIntoDeltas(text, form.deltas).map((delta) => ({ type, ...place, delta }));
}

function contentPart(part: TextPart, place: JsonObject, form: Form): readonly JsonObject[] {
  const added = { type: "response.content_part.added", ...place, part: openPart(part) };
  const done = { type: "response.content_part.done", ...place, part: finalPart(part) };
  if (part.kind === "refusal")
    return [
      added,
      ...deltas("response.refusal.delta", part.text, place, form),
      { type: "response.refusal.done", ...place, refusal: part.text },
      done,
    ];
  return [
    added,
    ...deltas("response.output_text.delta", part.text, place, form).map((event) => ({
      ...event,
      logprobs: [],
    })),
    ...annotations(part).map((annotation, index) => ({
      type: "response.output_text.annotation.added",
      ...place,
      annotation_index: index,
      annotation,
    })),
    { type: "response.output_text.done", ...place, text: part.text, logprobs: [] },
    done,
  ];
}

function summaries(texts: readonly string[], place: Place, form: Form): readonly JsonObject[] {
  return texts.flatMap((text, index) => {
    const here = { ...place, summary_index: index };
    return [
      { type: "response.reasoning_summary_part.added", ...here, part: { type: "summary_text", text: "" } },
      ...deltas("response.reasoning_summary_text.delta", text, here, form),
      { type: "response.reasoning_summary_text.done", ...here, text },
      { type: "response.reasoning_summary_part.done", ...here, part: { type: "summary_text", text } },
    ];
  });
}

function rawReasoning(raw: string | undefined, place: Place, form: Form): readonly JsonObject[] {
  if (raw === undefined) return [];
  const here = { ...place, content_index: 0 };
  return [
    { type: "response.content_part.added", ...here, part: { type: "reasoning_text", text: "" } },
    ...deltas("response.reasoning_text.delta", raw, here, form),
    { type: "response.reasoning_text.done", ...here, text: raw },
    { type: "response.content_part.done", ...here, part: { type: "reasoning_text", text: raw } },
  ];
}

function endEvents(turn: Turn, context: ReplyContext): readonly JsonObject[] {
  const { ending } = turn;
  if (ending.kind !== "error")
    return [{ type: `response.${ending.kind}`, response: finalSnapshot(turn, context) }];
  const { code, message } = ending;
  const error =
    ending.shape === "flat"
      ? { type: "error", code, message, param: null }
      : { type: "error", error: { type: code, code, message, param: null } };
  const response = snapshot(context, {
    status: "failed",
    error: { code, message },
    output: finalOutput(turn, context),
  });
  return ending.thenFailed ? [error, { type: "response.failed", response }] : [error];
}
