// What no body may hold, each with the sentence that says so before anything is sent. Pure; knows no bytes.
import type { ChatMessage } from "./request.ts";

/** How the two identifiers go, and the one that is the same in all requests. */
export interface Identifiers {
  readonly cacheKeyField: string;
  readonly userIdField: string;
  readonly userId: string | undefined;
}

/** A name of the user's choosing for an identifier: a plain one, and none that the interface gives a meaning. */
export function isOwnField(name: string): boolean {
  const taken =
    /^(model|input|instructions|stream|max_output_tokens|reasoning|text|tools|tool_choice|include|prompt_cache_options|prompt_cache_breakpoint|previous_response_id|store|background|conversation|metadata|service_tier|temperature|top_p|parallel_tool_calls)$/;
  return /^[A-Za-z_][\w-]{0,63}$/.test(name) && name !== "__proto__" && !taken.test(name);
}

/** The first of those that may be asked is the interface's own. */
export function refuseModel(model: string | undefined, allowed: readonly string[]): string | undefined {
  if (model === undefined || allowed.includes(model)) return undefined;
  return `The Responses operation supports only ${allowed[0]}, not ${model}.`;
}

/** Interface, `include`: "Allowed values". */
const includes = new Set<string>(["web_search_call.action.sources", "web_search_call.results"]);

export function refuseInclude(include: readonly string[] = []): string | undefined {
  const foreign = include.find((value) => !includes.has(value));
  return foreign === undefined ? undefined : `The field include cannot hold ${foreign}.`;
}

/** One name for both would be one key twice. */
export function refuseIdentifiers(
  cacheId: string | undefined,
  { cacheKeyField, userIdField, userId }: Identifiers,
): string | undefined {
  if (!cacheId || !userId || cacheKeyField !== userIdField || !isOwnField(userIdField)) return undefined;
  return `Both identifiers are set to go as “${userIdField}”; give one of them another name in the settings.`;
}

const maxOutputTokens = { least: 1, most: 1_048_576 };

export function refuseLimit(limit: number | undefined): string | undefined {
  const { least, most } = maxOutputTokens;
  if (limit === undefined || (Number.isInteger(limit) && limit >= least && limit <= most)) return undefined;
  return `The output limit must be a whole number of tokens from ${least} to ${most}.`;
}

export function refuseInput(input: readonly string[]): string | undefined {
  if (input.length === 0) return "There is nothing to send.";
  // Interface, "Chat message": content "Must not be empty". Of our own messages; the service's go back unchanged.
  const empty = input.some((raw) => raw.includes('"role":"user"') && /"content":(""|\[\])/.test(raw));
  return empty ? "A message without content cannot be sent." : undefined;
}

export function refuseMessages(messages: readonly ChatMessage[]): string | undefined {
  if (messages.length === 0) return "There is nothing to send.";
  const empty = messages.some(({ content }) =>
    typeof content === "string"
      ? content.trim() === ""
      : content.length === 0 || content.some((part) => part.type === "text" && part.text === ""),
  );
  return empty ? "A message without content cannot be sent." : undefined;
}
