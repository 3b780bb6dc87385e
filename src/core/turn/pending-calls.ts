// Every call has exactly one output, or the service refuses the whole conversation. These functions find the calls
// of a history that have none, and answer them. They read raw items, whatever their type.
import { itemType, viewItem } from "../api/response-items.ts";
import { callOutput } from "../api/tool-calls.ts";
import { takeOutSecrets } from "../files/secrets.ts";
import { asString, isObject, parseJson } from "../util/json.ts";

interface Call {
  readonly callId: string;
  readonly custom: boolean;
}

/** Items that answer what is open, in the order of the calls. */
export function answerOpenCalls(items: readonly string[], answer: (callId: string) => string): string[] {
  // An id may be there once more in a later reply: an output answers the latest call before it.
  const open: Call[] = [];
  for (const raw of items) {
    const { callId, isOutput, custom } = readCall(raw) ?? {};
    if (callId === undefined) continue;
    const answered = isOutput ? open.findLastIndex((each) => each.callId === callId) : -1;
    if (answered >= 0) open.splice(answered, 1);
    else if (!isOutput) open.push({ callId, custom: custom ?? false });
  }
  return open.map(({ callId, custom }) =>
    callOutput(
      { item: "", callId, name: "", kind: custom ? "custom" : "function", input: "" },
      takeOutSecrets(answer(callId)).text,
    ),
  );
}

/** Call ids that these items hold. */
export function callIds(items: readonly string[]): Set<string> {
  return new Set(items.flatMap((raw) => readCall(raw)?.callId ?? []));
}

/** What may be a call or answer one; most items are text, and their JSON need not be read to know that. */
const signsOfCall = ['"call_id"', "custom", "apply_patch"];

function readCall(raw: string): { callId: string; isOutput: boolean; custom: boolean } | undefined {
  const item = signsOfCall.some((sign) => raw.includes(sign)) ? parseJson(raw) : undefined;
  if (!isObject(item)) return undefined;
  const view = viewItem(item, raw);
  const isOutput = itemType(item).endsWith("_output");
  // Requirements F2: of a kind that nobody knows, what names a tool is a call; anything else the service runs itself.
  const isCall = view.kind === "call" || asString(item["name"]) !== undefined;
  if (!isOutput && !isCall) return undefined;
  const callId = view.kind === "call" ? view.callId : (asString(item["call_id"]) ?? "");
  if (callId === "") return undefined;
  return { callId, isOutput, custom: view.kind === "call" && view.call === "custom" };
}
