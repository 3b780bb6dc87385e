// Which output items were sent, so that what comes back can be compared with them.
import { isList, isObject, type JsonObject, stringAt } from "./json.ts";
import { declined, type Refusal } from "./refusal.ts";

export class IssuedItems {
  /** Id of an item → its JSON as sent, and the reasoning that came with it. */
  readonly #items = new Map<string, { readonly json: string; readonly reasoning: readonly string[] }>();

  remember(items: readonly unknown[]): void {
    const reasoning = items
      .filter((item) => stringAt(item, "type") === "reasoning")
      .map((item) => stringAt(item, "id") ?? "");
    for (const item of items) {
      const id = stringAt(item, "id");
      if (id !== undefined) this.#items.set(id, { json: JSON.stringify(item), reasoning });
    }
  }

  has(item: unknown): boolean {
    return this.#items.has(stringAt(item, "id") ?? "");
  }

  /**
   * Interface, "Input items": output items are passed back unchanged, to the order of their fields. A call that was sent
   * without an id has to get one all the same: `call_id` must be the same in the call and in its output.
   */
  changed(body: JsonObject): readonly string[] {
    return this.#replayed(body)
      .filter(({ item, known }) => JSON.stringify(item) !== known.json && !isNamed(item, known.json))
      .map(({ id }) => id);
  }

  missingReasoning(body: JsonObject): Refusal | undefined {
    const replayed = this.#replayed(body);
    const present = new Set(replayed.map(({ id }) => id));
    const orphan = replayed.find(({ known }) => known.reasoning.some((id) => !present.has(id)));
    if (orphan === undefined) return undefined;
    const message = `Item ${orphan.id} was provided without its required reasoning item.`;
    return declined(message, "input", "invalid_request");
  }

  #replayed(body: JsonObject) {
    const input = isList(body["input"]) ? body["input"] : [];
    return input.flatMap((item) => {
      const id = isObject(item) ? stringAt(item, "id") : undefined;
      const known = id === undefined ? undefined : this.#items.get(id);
      return id === undefined || known === undefined ? [] : [{ id, item, known }];
    });
  }
}

/** The same but for the id that the call was sent without. */
function isNamed(item: unknown, json: string): boolean {
  const sent: unknown = JSON.parse(json);
  if (!isObject(item) || !isObject(sent) || (sent["call_id"] ?? "") !== "") return false;
  const { call_id: given, ...rest } = item;
  const { call_id: _, ...before } = sent;
  return typeof given === "string" && given !== "" && JSON.stringify(rest) === JSON.stringify(before);
}

/** The items of a stream or a whole reply, as they stand on the wire. */
export function itemsOf(events: readonly JsonObject[]): readonly unknown[] {
  const items = new Map<unknown, unknown>();
  for (const event of events) {
    const response = isObject(event["response"]) ? event["response"] : event;
    const output = isList(response["output"]) ? response["output"] : [];
    for (const item of [...(event["type"] === "response.output_item.done" ? [event["item"]] : []), ...output])
      items.set(stringAt(item, "id"), item);
  }
  return [...items.values()];
}
