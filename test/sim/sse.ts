// Events to bytes: one frame per event, in the form asked for. Knows no event by name.
import type { Frame } from "./delivery.ts";
import type { Form } from "./form.ts";
import { type JsonObject, stringAt } from "./json.ts";

/** Events of Responses are named; chunks of Chat completions are not and end with `[DONE]`. */
export function encodeEvents(
  events: readonly JsonObject[],
  form: Form,
  wire: "responses" | "chat",
): readonly Frame[] {
  if (form.lines === "ndjson" && wire === "chat")
    return events.map((event) => frame(`${JSON.stringify(event)}\n`, form));
  const records = events.map((event) => record(event, form, wire));
  if (form.done === "default" ? wire === "chat" : form.done) records.push("data: [DONE]\n\n");
  return records.map((text, index) => {
    const last = index === records.length - 1;
    const shortened = last && !form.lastBlankLine ? text.replace(/\n\n$/, "") : text;
    return frame(`${index === 0 && form.bom ? "\ufeff" : ""}${newlines(shortened, form)}`, form);
  });
}

function frame(text: string, form: Form): Frame {
  const bytes = Buffer.from(text, "utf8");
  return form.pace > 0 ? { bytes, pauseBefore: form.pace } : { bytes };
}

function record(event: JsonObject, form: Form, wire: "responses" | "chat"): string {
  const type = stringAt(event, "type");
  const { type: _, ...untyped } = event;
  const data = JSON.stringify(form.typeInData ? event : untyped, null, form.multiline ? 1 : 0);
  const colon = form.tight ? ":" : ": ";
  const lines = data.split("\n").map((line) => `data${colon}${line}`);
  if (form.eventLines && wire === "responses" && type !== undefined) lines.unshift(`event${colon}${type}`);
  if (form.comments) lines.unshift(": still here", "id: 7", "retry: 3000", "", "event: ping", "");
  return `${lines.join("\n")}\n\n`;
}

function newlines(text: string, form: Form): string {
  if (form.newline === "\n") return text;
  if (form.newline !== "mixed") return text.replaceAll("\n", form.newline);
  // In this order no CR is followed by the LF of another line end.
  let turn = 0;
  return text.replaceAll("\n", () => ["\r", "\r\n", "\n"][turn++ % 3] as string);
}
