// Changes to the list of events (or chunks) before it is encoded: what a careless service or proxy does to a stream.
import { isObject, stringAt } from "./json.ts";
import { type Event, events, type Part } from "./script.ts";

/** Every event of this type (or its beginning) arrives twice. */
export function doubled(type: string): Part {
  return events((list) => list.flatMap((event) => (is(event, type) ? [event, event] : [event])));
}

/** Events of this type (or its beginning) are lost. */
export function lost(type: string): Part {
  return events((list) => list.filter((event) => !is(event, type)));
}

/** The first two events of this type change places. */
export function swapped(type: string): Part {
  return events((list) => {
    const one = list.findIndex((event) => is(event, type));
    const other = list.findIndex((event, index) => index > one && is(event, type));
    if (one < 0 || other < 0) return list;
    return list.map(
      (event, index) => (index === one ? list[other] : index === other ? list[one] : event) as Event,
    );
  });
}

/** Unknown fields on every event, and an unknown event. */
export function withStrangers(): Part {
  return events((list) =>
    list.flatMap((event, index) => [
      { ...event, obfuscation: "x9", vendor: { nested: [1, null] } },
      ...(index === 2 ? [{ type: "response.something_new", payload: {} }] : []),
    ]),
  );
}

/** The end record comes twice, the second time as a failure. */
export function endedTwice(): Part {
  return events((list) => {
    const last = list.at(-1) ?? {};
    const response = isObject(last["response"]) ? { ...last["response"], status: "failed" } : {};
    return [...list, { ...last, type: "response.failed", response }];
  });
}

/** Everything up to and including the first event of this type. */
export function upTo(type: string): Part {
  return events((list) => list.slice(0, list.findIndex((event) => is(event, type)) + 1));
}

/** Every event of this type is changed. */
export function changed(type: string, change: (event: Event) => Event): Part {
  return events((list) => list.map((event) => (is(event, type) ? change(event) : event)));
}

function is(event: Event, type: string): boolean {
  return (stringAt(event, "type") ?? "").startsWith(type);
}
