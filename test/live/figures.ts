// What a run has cost, from its requests and replies alone: how often the model was asked, with how much, and which of its
// calls were in vain.
import { resultsIn, callsIn as textCallsIn, toolsInText } from "../sim/assistant/tools-in-text.ts";
import { isObject, type JsonObject, listAt, stringAt } from "../sim/json.ts";
import type { Part } from "../sim/script.ts";
import type { RelayedRequest } from "./relay.ts";
import { readReply } from "./reply-form.ts";

export interface WastedCalls {
  /** The tool, or the patch, was refused. */
  readonly refused: number;
  /** The same call once more, with the same answer, which was still there to be read. */
  readonly repeated: number;
  /** Nothing that it has shown is named in a later reply. */
  readonly unused: number;
}

export interface Figures {
  readonly requests: number;
  readonly inputTokens: number;
  /** Of the input tokens, in per cent. */
  readonly cachedShare: number;
  readonly calls: Readonly<Record<string, number>>;
  readonly wasted: WastedCalls;
}

interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  /** The number of the first request that knows it: replies from this one on are later. */
  readonly toldIn: number;
  readonly output: string;
  /** Calls of that request: what was summarized before is known no more. */
  readonly known: ReadonlySet<string>;
}

/** `refused`: ids of calls that the product refused; patches in the text of an answer have such ids, too. */
export function figuresOf(requests: readonly RelayedRequest[], refused: ReadonlySet<string>): Figures {
  const calls = [...callsIn(requests), ...lastPatches(requests)];
  const counts: Record<string, number> = {};
  for (const { name } of calls) counts[name] = (counts[name] ?? 0) + 1;
  const inputTokens = requests.reduce((sum, { tokens }) => sum + tokens, 0);
  const cached = requests.reduce((sum, each) => sum + each.cached, 0);
  const taken = calls.filter(({ id }) => !refused.has(id));
  const repeated = taken.filter((each, at) =>
    taken.slice(0, at).some((other) => isSame(each, other) && each.known.has(other.id)),
  );
  const fresh = taken.filter((each) => !repeated.includes(each));
  const unused = fresh.filter((each) => !isUsed(each, requests));
  return {
    requests: requests.length,
    inputTokens,
    cachedShare: Math.round((100 * cached) / Math.max(1, inputTokens)),
    calls: counts,
    wasted: { refused: refused.size, repeated: repeated.length, unused: unused.length },
  };
}

const isSame = (one: MadeCall, other: MadeCall): boolean =>
  one.name === other.name && one.input === other.input && one.output === other.output;

/** What changes or proves something is used by being done; what shows something, by what is made of it. */
function isUsed({ name, input, output, toldIn }: MadeCall, requests: readonly RelayedRequest[]): boolean {
  if (!showing.test(name)) return true;
  const later = requests
    .filter(({ number }) => number >= toldIn)
    .map(({ reply = "" }) => reply)
    .join("\n");
  const shown = new Set([...pathsIn(input), ...pathsIn(output)]);
  // Where nothing was found, that it was not is what was to be known.
  return shown.size === 0 || [...shown].some((path) => later.includes(path));
}

const showing = /^(read_|search_|list_|find_|outline$|hover$|git_)/;

/** Names of files, with and without their folders. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/[\w.-]+(?:\/[\w.-]+)*\.[A-Za-z]\w{0,9}\b/g)].flatMap(([path]) => [
    path,
    path.split("/").at(-1) ?? path,
  ]);

/** Each call once, by its id, with what was answered. */
function callsIn(requests: readonly RelayedRequest[]): readonly MadeCall[] {
  const calls = new Map<string, MadeCall>();
  for (const { number, body } of requests) {
    const items = [...listAt(body, "input"), ...writtenItems(body)];
    const known = new Set(items.flatMap((item) => stringAt(item, "call_id") ?? []));
    const outputs = new Map(items.filter(isOutput).map((item) => [stringAt(item, "call_id"), item]));
    for (const item of items) {
      const id = stringAt(item, "call_id");
      if (!isObject(item) || id === undefined || isOutput(item) || calls.has(id)) continue;
      const input = stringAt(item, "arguments") ?? stringAt(item, "input") ?? "";
      const output = stringAt(outputs.get(id), "output") ?? "";
      calls.set(id, { id, name: stringAt(item, "name") ?? "", input, output, toldIn: number, known });
    }
  }
  return [...calls.values()];
}

/** Calls in the messages of a chat model, as items; results follow the calls of their name in order. */
function writtenItems(body: JsonObject): readonly JsonObject[] {
  const messages = listAt(body, "messages");
  const tools = toolsInText(stringAt(messages[0], "content") ?? "");
  if (tools === undefined) return [];
  let count = 0;
  const open: { readonly name: string; readonly id: string }[] = [];
  return messages.slice(1).flatMap((message): JsonObject[] => {
    const text = stringAt(message, "content") ?? "";
    if (stringAt(message, "role") === "assistant")
      return textCallsIn(text, tools).map(({ name, arguments: given }) => {
        count += 1;
        const id = `written-${count}`;
        open.push({ name, id });
        return { type: "function_call", call_id: id, name, arguments: given };
      });
    return resultsIn(text).results.flatMap(({ name, output }) => {
      const [made] = open.splice(
        Math.max(
          0,
          open.findIndex((each) => each.name === name),
        ),
        1,
      );
      return made === undefined ? [] : [{ type: "function_call_output", call_id: made.id, output }];
    });
  });
}

/** A task can end with a patch: there is no request that would know of it. */
function lastPatches(requests: readonly RelayedRequest[]): readonly MadeCall[] {
  const last = requests.at(-1);
  if (last?.reply === undefined) return [];
  const isPatch = (part: Part) =>
    part.part === "piece" &&
    (part.piece.kind === "patch" || (part.piece.kind === "call" && part.piece.name === "apply_patch"));
  return readReply(last.reply, last.body)
    .filter(isPatch)
    .map((_, at) => ({
      ...{ id: `last-${at}`, name: "apply_patch", input: `${at}`, output: "" },
      ...{ toldIn: last.number + 1, known: new Set<string>() },
    }));
}

const isOutput = (item: unknown): item is JsonObject =>
  (stringAt(item, "type") ?? "").endsWith("_call_output");

/** The ids of refused calls, as the events of a session tell them. */
export function refusedIn(events: readonly unknown[]): ReadonlySet<string> {
  const isRefused = (event: unknown) => /^(failed|refused)$/.test(stringAt(event, "status") ?? "");
  return new Set(events.flatMap((event) => (isRefused(event) ? (stringAt(event, "call") ?? []) : [])));
}
