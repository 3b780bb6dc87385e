// What no body may hold, each with the sentence that says so before anything is sent. Pure; knows no bytes.
import { maxOutputLimit } from "../conversation/output-limit.ts";
import { type Message, message } from "../messages/message.ts";
import type { ChatMessage } from "./request.ts";
import { isOwnField } from "./settings.ts";

/** How the two identifiers go, and the one that is the same in all requests. */
export interface Identifiers {
  readonly cacheKeyField: string;
  readonly userIdField: string;
  readonly userId: string | undefined;
}

/** The first of those that may be asked is the interface's own. */
export function refuseModel(model: string | undefined, allowed: readonly string[]): Message | undefined {
  if (model === undefined || allowed.includes(model)) return undefined;
  return message("requestModel", { model: allowed[0] ?? "", other: model });
}

/** Interface, `include`: "Allowed values". */
const includes = new Set<string>(["web_search_call.action.sources", "web_search_call.results"]);

export function refuseInclude(include: readonly string[] = []): Message | undefined {
  const foreign = include.find((value) => !includes.has(value));
  return foreign === undefined ? undefined : message("requestInclude", { value: foreign });
}

/** One name for both would be one key twice. */
export function refuseIdentifiers(
  cacheId: string | undefined,
  { cacheKeyField, userIdField, userId }: Identifiers,
): Message | undefined {
  if (!cacheId || !userId || cacheKeyField !== userIdField || !isOwnField(userIdField)) return undefined;
  return message("problemOneName", { name: userIdField });
}

export function refuseLimit(limit: number | undefined): Message | undefined {
  const [least, most] = [1, maxOutputLimit];
  if (limit === undefined || (Number.isInteger(limit) && limit >= least && limit <= most)) return undefined;
  return message("problemOutput", { least, most });
}

export function refuseInput(input: readonly string[]): Message | undefined {
  if (input.length === 0) return message("problemNothingToSend");
  // Interface, "Chat message": content "Must not be empty". Of our own messages; the service's go back unchanged.
  const empty = input.some((raw) => raw.includes('"role":"user"') && /"content":(""|\[\])/.test(raw));
  return empty ? message("problemEmptyMessage") : undefined;
}

export function refuseMessages(messages: readonly ChatMessage[]): Message | undefined {
  if (messages.length === 0) return message("problemNothingToSend");
  const empty = messages.some(({ content }) =>
    typeof content === "string"
      ? content.trim() === ""
      : content.length === 0 || content.some((part) => part.type === "text" && part.text === ""),
  );
  return empty ? message("problemEmptyMessage") : undefined;
}
