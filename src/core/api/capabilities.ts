// What an origin was found to accept. The interface leaves optional fields and tool shapes open; a 400 that names
// one teaches us, once: it is left out or changed, the request is sent again, and the finding is kept per origin,
// shown in the connection check and resettable. Never model, tools or input themselves.

import * as z from "zod/mini";
import { historyForms, plainer } from "../conversation/record.ts";
import { type Message, message } from "../messages/message.ts";
import type { Log } from "../util/log.ts";
import { errorClass } from "./error-class.ts";
import type { ServiceError } from "./reply-reader.ts";

const Found = z.object({
  /** Names of optional fields that are left out. */
  refused: z.array(z.string()),
  patch: z.enum(["grammar", "text", "function"]),
  namespaces: z.enum(["namespace", "flat"]),
  /** The item type that answers a custom call. */
  customOutput: z.enum(["custom", "function"]),
  /** How the words of another model's turn go back. */
  assistantText: z.enum(["message", "recap"]),
  /** How much of what it has said itself it takes back (requirements E11); what was saved before has nothing on it. */
  history: z._default(z.enum(historyForms), "whole"),
});
export type Found = Readonly<z.infer<typeof Found>>;

export const nothingFound: Found = {
  refused: [],
  patch: "grammar",
  namespaces: "namespace",
  customOutput: "custom",
  assistantText: "message",
  history: "whole",
};

/** Everything that either of two trials found to be refused. */
export function stricter(one: Found, other: Found): Found {
  const patches: readonly Found["patch"][] = ["grammar", "text", "function"];
  const patch = Math.max(patches.indexOf(one.patch), patches.indexOf(other.patch));
  return {
    refused: [...new Set([...one.refused, ...other.refused])],
    patch: patches[patch] ?? one.patch,
    namespaces: one.namespaces === "flat" ? "flat" : other.namespaces,
    customOutput: one.customOutput === "function" ? "function" : other.customOutput,
    assistantText: one.assistantText === "recap" ? "recap" : other.assistantText,
    history: plainer(one.history, other.history),
  };
}

/** What only a conversation that goes on can find out: a trial of single requests says nothing about it. */
export const untried = ({
  customOutput,
  assistantText,
  history,
}: Found): Pick<Found, "customOutput" | "assistantText" | "history"> => ({
  customOutput,
  assistantText,
  history,
});

/** Where findings are kept between sessions. */
export interface CapabilityStore {
  load(origin: string): Promise<unknown>;
  save(origin: string, found: Found): Promise<void>;
}

/** What a request held that the service may refuse. */
export interface Offered {
  /** Names of the optional fields that were sent. */
  readonly optional: readonly string[];
  readonly patch: Found["patch"] | undefined;
  readonly namespaces: boolean;
  readonly customOutputs: boolean;
  /** Messages in the assistant's role that are not the service's own items. */
  readonly assistantMessages: boolean;
}

export const nothingOffered: Offered = {
  optional: [],
  patch: undefined,
  namespaces: false,
  customOutputs: false,
  assistantMessages: false,
};

export interface Adaptation {
  readonly field: string;
  readonly note: Message;
  readonly found: Found;
}

export class Capabilities {
  readonly #store: CapabilityStore | undefined;
  readonly #log: Log;
  readonly #known = new Map<string, Found>();

  constructor(store: CapabilityStore | undefined, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  async of(origin: string): Promise<Found> {
    const known = this.#known.get(origin);
    if (known !== undefined) return known;
    const found = await this.#load(origin);
    // Another request may have learned something meanwhile.
    const now = this.#known.get(origin) ?? found;
    this.#known.set(origin, now);
    return now;
  }

  async learn(origin: string, found: Found): Promise<void> {
    this.#known.set(origin, found);
    try {
      await this.#store?.save(origin, found);
    } catch (error) {
      this.#log.warn(`What ${origin} accepts could not be saved: ${String(error)}`);
    }
  }

  async reset(origin: string): Promise<void> {
    await this.learn(origin, nothingFound);
  }

  async #load(origin: string): Promise<Found> {
    try {
      const parsed = Found.safeParse(await this.#store?.load(origin));
      return parsed.success ? parsed.data : nothingFound;
    } catch {
      return nothingFound;
    }
  }
}

/** What a refusal teaches; `undefined` when it is about something else. */
export function adapt(
  words: ServiceError | undefined,
  offered: Offered,
  found: Found,
): Adaptation | undefined {
  if (words === undefined) return undefined;
  const about = errorClass(words, 400);
  if (about === "too-long" || about === "quota") return undefined;
  // A missing or unpaired tool output is not about the shape of a tool.
  const paired = /tool (call )?output|call_id/i.test(words.message);
  if (
    offered.customOutputs &&
    found.customOutput === "custom" &&
    (paired || namesInTool(words, "custom_tool_call_output"))
  ) {
    const note = message("noteResults");
    return { field: "custom_tool_call_output", note, found: { ...found, customOutput: "function" } };
  }
  if (paired) return undefined;
  const field = offered.optional.find((name) => namesField(words, name) && mayBeDropped(words, name));
  if (field !== undefined) {
    const note = message("noteField", { field });
    return { field, note, found: { ...found, refused: [...found.refused, field] } };
  }
  const aboutRole = /\bassistant\b/i.test(words.message) && /\b(role|messages?)\b/i.test(words.message);
  if (offered.assistantMessages && (aboutRole || /\.role$/.test(words.param ?? ""))) {
    return { field: "role", note: message("noteOthers"), found: { ...found, assistantText: "recap" } };
  }
  return adaptTools(words, offered, found);
}

/** What a person would miss: a limit on spending, and what the model was told to heed. */
const precious = new Set(["max_output_tokens", "instructions"]);
const unknownField =
  /\b(unknown|unrecogni[sz]ed|unexpected|unsupported (parameter|argument|field|property|key|option)s?|extra (inputs?|fields?|parameters?)|not (supported|allowed|permitted|known|recogni[sz]ed|accepted))\b/i;
const itsValue =
  /(?<![\w.-])\d|\b(values?|minimum|maximum|at (most|least)|between|range|(less|greater|more|fewer) than|under|over|below|above|exceeds?|too \w+|larger|smaller|longer|shorter)\b/i;

/** Such a field is dropped only where none of its name is known, never because of what it says. */
const mayBeDropped = ({ message: said }: ServiceError, field: string): boolean =>
  !precious.has(field) || (unknownField.test(said) && !itsValue.test(said));

function adaptTools(words: ServiceError, offered: Offered, found: Found): Adaptation | undefined {
  if (offered.namespaces && namesInTool(words, "namespace")) {
    return { field: "namespace", note: message("noteNamespaces"), found: { ...found, namespaces: "flat" } };
  }
  const about = ["format", "grammar", "lark", "custom", "apply_patch"].some((name) =>
    namesInTool(words, name),
  );
  if (offered.patch === undefined || offered.patch === "function" || !about) return undefined;
  if (offered.patch === "grammar") {
    return { field: "format", note: message("noteGrammar"), found: { ...found, patch: "text" } };
  }
  return { field: "custom", note: message("noteFunction"), found: { ...found, patch: "function" } };
}

/** What every request holds: words about it name no optional field, however they read. */
const always = new Set(["model", "input", "messages", "tools"]);

function namesField({ message: said, param }: ServiceError, field: string): boolean {
  const [top = ""] = stepsOf(param);
  return (
    top === field ||
    (!always.has(top) && mentions(said, field, "parameter|argument|field|property|key|option"))
  );
}

function namesInTool({ message: said, param }: ServiceError, name: string): boolean {
  const steps = stepsOf(param);
  if (steps[0] === name || (steps[0] === "tools" && steps.includes(name))) return true;
  return mentions(said, name, "parameter|argument|field|property|key|option|type");
}

const stepsOf = (param: string | undefined): string[] =>
  (param ?? "").split(/[.[\]]+/).filter((step) => step !== "");

/** A name that may be a word of the language must be marked as a name, and be no value in quoted JSON. */
function mentions(said: string, name: string, announced: string): boolean {
  const word = name.replace(/[^\w-]/g, "\\$&");
  const marked = new RegExp(`(?:(?<!["']\\s*:\\s*)["'\`“‘]|\\b(?:${announced}):? )${word}(?![\\w-])`, "i");
  const alone = new RegExp(`(?<![\\w-])${word}(?![\\w-])`, "i");
  return marked.test(said) || ((name.includes("_") || name === "lark") && alone.test(said));
}
