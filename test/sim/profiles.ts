// What kind of service the simulator is: one object of switches, and the named ones that tests and people run against.
import type { Form } from "./form.ts";
import type { Wording } from "./refusal.ts";

export interface Profile {
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
  /** Every second generation meets some trouble (flaky-profile.ts). */
  readonly flaky: boolean;
  /** Fields refused with a 400 that names them; a dot reaches inside: `stream_options.include_usage`. */
  readonly refusedFields: readonly string[];
  /** Values refused with a 400 that names them. */
  readonly refusedValues: readonly (readonly [path: string, value: unknown])[];
  /** How refusals are told. */
  readonly wording: Wording;
  readonly form: Partial<Form>;
}

const standard: Profile = {
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
  refusedValues: [],
  wording: "param",
  form: {},
};

/** Each with what it is, for people, and how it differs from the standard one. */
const variants = {
  standard: ["takes what the interface shows and ignores what it does not know", {}],
  strict: ["refuses whatever the interface does not show", { unknown: "refused", breakpointInText: true }],
  "interface-strict": [
    "takes exactly what the interface shows and says no more of a refusal than its error body does",
    {
      unknown: "refused",
      custom: false,
      customOutput: false,
      namespace: false,
      assistantMessages: false,
      refusedFields: ["prompt_cache_key", "safety_identifier"],
      wording: "opaque",
    },
  ],
  nostream: ["answers whole, also where a stream was asked for", { stream: "never" }],
  "custom-no": ["refuses the custom tool apply_patch", { custom: false }],
  "custom-no-format": ["refuses the grammar of the custom tool", { customFormat: false }],
  "custom-no-output": ["takes results of custom calls as those of functions only", { customOutput: false }],
  "namespace-no": ["refuses tools grouped in a namespace", { namespace: false }],
  "images-no": ["refuses pictures", { images: false }],
  "assistant-no": ["refuses answers that it has not given itself", { assistantMessages: false }],
  "replay-strict": ["takes back messages, function calls and their results only", { replay: "documented" }],
  "replay-no-search": ["does not take its own searches back", { replay: "no-search" }],
  "replay-needs-reasoning": ["refuses its calls back without their reasoning", { needsReasoning: true }],
  "usage-odd": ["reports usage that does not add up", { usage: "odd" }],
  "usage-none": ["reports no usage", { usage: "none" }],
  "2xx-error": ["answers everything with an error under the status 200", { errorsInSuccess: true }],
  flaky: ["has some trouble at every second answer: 429, 500, a page, a cut, silence", { flaky: true }],
  "open-responses": ["streams as Open Responses has it", { form: { dialect: "open-responses", done: true } }],
  vllm: ["streams as vLLM does", { form: { dialect: "vllm", reasoningKey: "reasoning" } }],
  gateway: [
    "streams as gateways do, unnamed and unnumbered",
    { form: { dialect: "gateway", eventLines: false, sequenceNumbers: false } },
  ],
  "snapshot-only": ["streams the first and the last snapshot only", { form: { dialect: "snapshot-only" } }],
  "items-only": ["streams finished items only", { form: { dialect: "items-only" } }],
  "deltas-only": ["streams deltas that nothing repeats at the end", { form: { dialect: "deltas-only" } }],
  "custom-short": ["calls the item of a custom call just `custom`", { form: { dialect: "custom-short" } }],
  crlf: [
    "ends lines with CR LF, behind a mark and comments",
    { form: { newline: "\r\n", bom: true, comments: true } },
  ],
  cr: ["ends lines with CR", { form: { newline: "\r", tight: true } }],
  "event-lines-only": ["names events on their own line only", { form: { typeInData: false } }],
  "plain-text": ["streams under another content type", { form: { contentType: "text/plain", done: true } }],
} satisfies Record<string, readonly [about: string, change: Partial<Profile>]>;

export type ProfileName = keyof typeof variants;

export const profileNames = Object.keys(variants) as readonly ProfileName[];

/** Those that answer whatever keeps their rules. */
export const steadyProfileNames = profileNames.filter((name) => name !== "2xx-error" && name !== "flaky");

/** What the standard service does anyway, by the names somebody may look for: custom tools, signed replies, files. */
export const standardToo = ["custom-yes", "receipts", "files"] as const;

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

/** Every name that can be asked for. */
export type AskedProfile =
  | ProfileName
  | (typeof standardToo)[number]
  | `refuses-${(typeof optionalFields)[number]}`;

export function isProfile(name: string): name is AskedProfile {
  const refuses = optionalFields.map((field) => `refuses-${field}`);
  return [...profileNames, ...standardToo, ...refuses].some((each) => each === name);
}

export function profile(name: AskedProfile, change: Partial<Profile> = {}): Profile {
  return { ...standard, ...variantOf(name), ...change };
}

function variantOf(name: AskedProfile): Partial<Profile> {
  const known: Readonly<Record<string, readonly [string, Partial<Profile>]>> = variants;
  const [, field] = /^refuses-(.+)/.exec(name) ?? [];
  return field === undefined ? (known[name]?.[1] ?? {}) : { refusedFields: [field] };
}

/** A service that refuses these fields with a 400 naming the first of them it meets. */
export function refusing(...fields: readonly string[]): Profile {
  return profile("standard", { refusedFields: fields });
}

/** A line for each, for people. */
export function aboutProfiles(): readonly (readonly [name: string, about: string])[] {
  const named = Object.entries(variants).map(([name, [about]]) => [name, about] as const);
  return [
    ...named,
    [standardToo.join(", "), "other names of the standard one, which does all three"],
    ["refuses-<field>", `refuses one optional field: ${optionalFields.join(", ")}`],
  ];
}
