// What kind of service the simulator is: one object of switches, and the named ones that tests run against.
import type { Form } from "./form.ts";

export interface Profile {
  readonly name: string;
  /** `refused`: every key the interface does not show, unknown `include` values, empty content (strict). */
  readonly unknown: "ignored" | "refused";
  /** Whether the word `prompt_cache_breakpoint` inside text is refused too, not only the key. */
  readonly breakpointInText: boolean;
  readonly stream: "as-asked" | "never";
  readonly custom: boolean;
  readonly customFormat: boolean;
  /** Whether results of custom calls come back as `custom_tool_call_output`. */
  readonly customOutput: boolean;
  readonly namespace: boolean;
  readonly images: boolean;
  /** Whether messages of the role `assistant` may be written by the client. */
  readonly assistantMessages: boolean;
  /** `documented`: only message, function_call and function_call_output items come back. */
  readonly replay: "any" | "documented" | "no-search";
  readonly needsReasoning: boolean;
  readonly usage: "right" | "odd" | "none";
  /** Every generation answers 200 with an error body. */
  readonly errorsInSuccess: boolean;
  /** Every second generation meets some trouble (weather.ts). */
  readonly flaky: boolean;
  /** Fields refused with a 400 that names them; a dot reaches inside: `stream_options.include_usage`. */
  readonly refusedFields: readonly string[];
  readonly form: Partial<Form>;
}

const standard: Profile = {
  name: "standard",
  unknown: "ignored",
  breakpointInText: false,
  stream: "as-asked",
  custom: true,
  customFormat: true,
  customOutput: true,
  namespace: true,
  images: true,
  assistantMessages: true,
  replay: "any",
  needsReasoning: false,
  usage: "right",
  errorsInSuccess: false,
  flaky: false,
  refusedFields: [],
  form: {},
};

const variants = {
  standard: {},
  strict: { unknown: "refused", breakpointInText: true },
  nostream: { stream: "never" },
  "custom-no": { custom: false },
  "custom-no-format": { customFormat: false },
  "custom-no-output": { customOutput: false },
  "namespace-no": { namespace: false },
  "images-no": { images: false },
  "assistant-no": { assistantMessages: false },
  "replay-strict": { replay: "documented" },
  "replay-no-search": { replay: "no-search" },
  "replay-needs-reasoning": { needsReasoning: true },
  "usage-odd": { usage: "odd" },
  "usage-none": { usage: "none" },
  "2xx-error": { errorsInSuccess: true },
  flaky: { flaky: true },
  "open-responses": { form: { dialect: "open-responses", done: true } },
  vllm: { form: { dialect: "vllm", reasoningKey: "reasoning" } },
  gateway: { form: { dialect: "gateway", eventLines: false, sequenceNumbers: false } },
  "snapshot-only": { form: { dialect: "snapshot-only" } },
  "items-only": { form: { dialect: "items-only" } },
  "deltas-only": { form: { dialect: "deltas-only" } },
  "custom-short": { form: { dialect: "custom-short" } },
  crlf: { form: { newline: "\r\n", bom: true, comments: true } },
  cr: { form: { newline: "\r", tight: true } },
  "event-lines-only": { form: { typeInData: false } },
  "plain-text": { form: { contentType: "text/plain", done: true } },
} satisfies Record<string, Partial<Profile>>;

export type ProfileName = keyof typeof variants;

export const profileNames = Object.keys(variants) as readonly ProfileName[];

/** Those that answer whatever keeps their rules. */
export const steadyProfileNames = profileNames.filter((name) => name !== "2xx-error" && name !== "flaky");

export function profile(name: ProfileName, change: Partial<Profile> = {}): Profile {
  return { ...standard, ...variants[name], name, ...change };
}

/** A service that refuses these fields with a 400 naming the first of them it meets. */
export function refusing(...fields: readonly string[]): Profile {
  return profile("standard", { name: `refusing ${fields.join(", ")}`, refusedFields: fields });
}

/** The optional fields a client may send on its own; each is refused in turn by some service. */
export const optionalFields = [
  "prompt_cache_key",
  "safety_identifier",
  "prompt_cache_options",
  "reasoning",
  "text",
  "include",
  "max_output_tokens",
  "tool_choice",
  "instructions",
  "stream",
  "stream_options",
] as const;
