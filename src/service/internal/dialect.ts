// What a service may accept in another form than the usual one, or not at all: each feature with its forms, what shows
// that one is refused, and what people are told. Building requests, adapting them, the detection of features, the
// connection report and the register of gaps all read this table. Pure.
import type { HistoryForm } from "../../conversation/events.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Route } from "../capabilities.ts";
import { defaultCacheKeyField, defaultUserIdField } from "../request.ts";
import type { BodySettings, PatchTool, Settings } from "../settings.ts";
import { type Refusal, type ToolRefusal, toolRefusal } from "./refusal.ts";
import { foreignAssistant, hasTool, holdsPicture, resultType } from "./request-shapes.ts";

/** What a request contained that the service may refuse. */
export interface RequestFeatures {
  /** Names of the optional fields that were sent. */
  readonly optional: readonly string[];
  /** Their values that can be refused on their own. */
  readonly values: readonly FieldValue[];
  /** The type of each tool, in order. */
  readonly tools: readonly string[];
  /** The shapes in it whose accepted form has to be found out. */
  readonly shapes: readonly Shape[];
  /** Everything in it that the interface does not show: names of fields, and shapes. */
  readonly unshown: readonly string[];
}

export interface FieldValue {
  readonly path: string;
  readonly value: string;
}

export const noRequestFeatures: RequestFeatures = {
  optional: [],
  values: [],
  tools: [],
  shapes: [],
  unshown: [],
};

/** The names of the features in a request, in events and in what is found out about it. */
export type Shape = "custom" | "namespace" | "custom_tool_call_output" | "assistant" | "picture";

export interface Refusable<Form extends string> {
  readonly shape: Shape;
  /** The first is the usual form, the last one needs nothing that the interface does not show. */
  readonly forms: readonly [Form, ...Form[]];
  /** What is said when a request is repeated in a plainer form, and which part of it that concerns. */
  readonly repeated: Readonly<Partial<Record<Form, { readonly field: string; readonly note: Message }>>>;
  isSent(request: { readonly tools: readonly string[]; readonly input: readonly string[] }): boolean;
  /** The form to try next if this refusal concerns the feature. */
  refused(refusal: Refusal, offered: RequestFeatures, now: Form): Plainer<Form> | undefined;
}

/** What is found out about it is kept for the origin. */
export interface Feature<Form extends string> extends Refusable<Form> {
  readonly label: Message;
  /** What is said of a service that accepts a form. */
  readonly found: Readonly<Record<Form, Message>>;
  /** The form that the settings fix, whatever is found out. */
  readonly fixed?: (settings: BodySettings) => Form | undefined;
  /** It concerns the results of another feature, in the form that was found for that one. */
  readonly of?: "patch";
}

interface Plainer<Form extends string> {
  readonly form: Form;
  /** The refusal does not name the feature, so the finding is kept only if it helps twice. */
  readonly isGuess?: true;
}

/** The interface shows the type of the tool, but not its fields: a gap of the register. */
interface ToolFeature<Form extends string> extends Feature<Form> {
  /** What is said of this service there. */
  readonly here: Readonly<Record<Form, Message>>;
}

const accepted = message("foundAccepted");

const patch: ToolFeature<"grammar" | "text" | "function"> = {
  shape: "custom",
  forms: ["grammar", "text", "function"],
  label: message("checkPatch"),
  found: { grammar: accepted, text: message("foundPlainPatch"), function: message("foundFunction") },
  here: {
    grammar: message("herePatchGrammar"),
    text: message("herePatchText"),
    function: message("herePatchFunction"),
  },
  repeated: {
    text: { field: "format", note: message("noteGrammar") },
    function: { field: "custom", note: message("noteFunction") },
  },
  fixed: ({ patchTool }) => patchForms[patchTool],
  isSent: ({ tools }) => hasTool(tools, "custom"),
  refused(refusal, { tools }, now) {
    const told = toolRefusal(refusal, tools);
    const { type, names } = told;
    const text = refusal.words.message;
    if (told.isAboutParameters) return undefined;
    const isGrammar =
      now === "grammar" &&
      (type === undefined || type === "custom") &&
      (names("format", "grammar", "syntax", "definition", "lark") || /\b(grammar|lark)\b/i.test(text));
    if (isGrammar) return { form: "text" };
    const isCustom =
      type === "custom" ||
      (type === undefined && (names("custom", "apply_patch") || /\b(custom|freeform) tools?\b/i.test(text)));
    const isRefused = !namesNamespace(told, text) && (isCustom || told.isAboutTypes);
    return isRefused ? { form: "function" } : undefined;
  },
};

/** `off` means no tool, so that there is nothing to find out. */
const patchForms = {
  auto: undefined,
  "custom-grammar": "grammar",
  "custom-text": "text",
  function: "function",
  off: "function",
} as const satisfies Record<PatchTool, string | undefined>;

const namespaces: ToolFeature<"namespace" | "flat"> = {
  shape: "namespace",
  forms: ["namespace", "flat"],
  label: message("checkNamespaces"),
  found: { namespace: accepted, flat: message("foundFlat") },
  here: { namespace: message("hereNamespaces"), flat: message("hereFlat") },
  repeated: { flat: { field: "namespace", note: message("noteNamespaces") } },
  fixed: ({ namespaces: form }) => form,
  isSent: ({ tools }) => hasTool(tools, "namespace"),
  refused(refusal, { tools }) {
    const told = toolRefusal(refusal, tools);
    if (told.isAboutParameters) return undefined;
    return told.isAboutTypes || namesNamespace(told, refusal.words.message) ? { form: "flat" } : undefined;
  },
};

const namesNamespace = ({ type, names }: ToolRefusal, text: string): boolean =>
  type === "namespace" || (type === undefined && (names("namespace") || /\bnamespaces?\b/i.test(text)));

/** The item type that answers a custom call. */
const customOutput: Feature<"custom" | "function"> = {
  shape: "custom_tool_call_output",
  forms: ["custom", "function"],
  label: message("checkResults"),
  found: { custom: accepted, function: message("foundFunctionResults") },
  repeated: { function: { field: "custom_tool_call_output", note: message("noteResults") } },
  isSent: ({ input }) => input.some((raw) => raw.includes(resultType)),
  refused({ words, paths }) {
    if (paths.some((path) => path.includes("custom_tool_call_output"))) return { form: "function" };
    return lacksOutput.test(words.message) ? { form: "function", isGuess: true } : undefined;
  },
  of: "patch",
};

/**
 * The result of a call was sent but not recognized. If the call is reported missing instead, its result was recognized.
 */
const lacksOutput =
  /\b(no|missing|without|lacks?)\b(?! (tool |function )?calls? (was )?found\b).{0,40}\b(outputs?|results?)\b/i;

/** The form in which another model's turns are sent. */
const assistantText: Feature<"message" | "recap"> = {
  shape: "assistant",
  forms: ["message", "recap"],
  label: message("checkOthers"),
  found: { message: accepted, recap: message("foundRecap") },
  repeated: { recap: { field: "role", note: message("noteOthers") } },
  isSent: ({ input }) => input.some((raw) => foreignAssistant(raw) !== undefined),
  refused({ words: { message: text }, paths }) {
    const isRefused =
      (/\bassistant\b/i.test(text) && /\b(role|messages?|values?)\b/i.test(text)) ||
      /\boutput_text\b/.test(text) ||
      paths.some((path) => path.length > 1 && path.at(-1) === "role");
    return isRefused ? { form: "recap" } : undefined;
  },
};

/** They are either named, or in a position where a text was expected. Concerns one request: other models may differ. */
const pictures: Refusable<"sent" | "omitted"> = {
  shape: "picture",
  forms: ["sent", "omitted"],
  repeated: { omitted: { field: "pictures", note: message("notePictures") } },
  isSent: ({ input }) => input.some(holdsPicture),
  refused({ words: { message: text } }) {
    const isRefused = (pictureWords.test(text) && refusedWords.test(text)) || textExpected.test(text);
    return isRefused ? { form: "omitted" } : undefined;
  },
};

const pictureWords = /\b(images?|pictures?|vision|multi-?modal|input_image|image_url)\b|图片|图像/i;
const refusedWords =
  /\bnot (be )?(supported|accepted|allowed|available|enabled|permitted|implemented)\b|\bunsupported\b|\b(does(n't| not)|cannot|can't|do not|don't) (support|accept|process|handle|take)\b|\bsupport(s|ed)? (only )?(image|vision|text)\b|\bno (endpoints|vision)\b|\bonly .{0,20}text\b|\bunknown variant\b|不支持/i;
const textExpected =
  /invalid type: sequence, expected a string|content.{0,40}\b(must be|should be|expected|valid) (a |an )?string\b/i;

/** What is kept for an origin, in the order in which a request holds it. */
export const features = { patch, namespaces, customOutput, assistantText } as const;
export type FeatureName = keyof typeof features;
type FormOf<F> = F extends Refusable<infer Form> ? Form : never;
/** The form of each feature. */
export type Forms = { readonly [Name in FeatureName]: FormOf<(typeof features)[Name]> };

export const refusable = { ...features, pictures } as const;
export type RefusableName = keyof typeof refusable;

/** Each feature with its name; the forms of one feature are only ever compared with each other. */
export const featureRows = Object.entries(features) as unknown as readonly (readonly [
  FeatureName,
  Feature<string>,
])[];

const eachForm = (form: (name: FeatureName, feature: Feature<string>) => string): Forms =>
  Object.fromEntries(featureRows.map(([name, feature]) => [name, form(name, feature)])) as Forms;

export const usualForms: Forms = eachForm((_, { forms: [first] }) => first);
/** Only what the interface shows: neither definitions nor the item that answers a custom call. */
export const plainestForms: Forms = eachForm((_, { forms }) => forms.at(-1) ?? forms[0]);
/** Of another object, its forms alone. */
export const formsOf = (found: Forms): Forms => eachForm((name) => found[name]);
export const plainerForms = (one: Forms, other: Forms): Forms =>
  eachForm((name, { forms }) =>
    forms.indexOf(other[name]) > forms.indexOf(one[name]) ? other[name] : one[name],
  );
export const hasUsualForms = (found: Forms): boolean =>
  featureRows.every(([name]) => found[name] === usualForms[name]);
/** Those that the settings fix, otherwise those that were found. */
export const formsInUse = (settings: BodySettings, found: Forms): Forms =>
  eachForm((name, { fixed }) => fixed?.(settings) ?? found[name]);

/** How a service accepts its own items back; only a continued conversation finds that out. */
export const historyFeature: Pick<Feature<HistoryForm>, "label" | "found"> = {
  label: message("checkHistory"),
  found: { whole: accepted, "no-search": message("foundNoSearches"), plain: message("foundRetold") },
};

// Optional fields: each is sent, or omitted once it was refused.

/** Fields of every request: words about them do not name an optional field, whatever they look like. */
export const requiredFields: ReadonlySet<string> = new Set(["model", "input", "messages"]);

/**
 * A spending limit and the model's instructions: a person would notice their absence. Only the whole field is omitted,
 * and only if its name is unknown.
 */
export const preciousFields: ReadonlySet<string> = new Set(["max_output_tokens", "instructions"]);

export interface OptionalField {
  readonly label: Message;
  readonly route: Route;
  readonly name: (settings: Settings) => string;
  /** The name that is assumed. */
  readonly assumed: string;
  /** It has a name and something to send, and the settings do not fix whether it is sent. */
  readonly isUsed: (settings: Settings) => boolean;
}

/** Those whose names or values the interface leaves open; a person's extra fields are added to them. */
export const optionalFields: Readonly<
  Record<"cacheId" | "userId" | "lifetime" | "streamUsage", OptionalField>
> = {
  cacheId: {
    label: message("checkCacheId"),
    route: "responses",
    name: ({ cacheKeyField }) => cacheKeyField,
    assumed: defaultCacheKeyField,
    isUsed: ({ cacheKeyField }) => cacheKeyField !== "",
  },
  userId: {
    label: message("checkUserId"),
    route: "responses",
    name: ({ userIdField }) => userIdField,
    assumed: defaultUserIdField,
    isUsed: ({ userIdField, userId }) => userIdField !== "" && !!userId,
  },
  lifetime: {
    label: message("checkLifetime"),
    route: "responses",
    name: () => "prompt_cache_options",
    assumed: "prompt_cache_options",
    isUsed: () => true,
  },
  streamUsage: {
    label: message("checkStreamUsage"),
    route: "chat",
    name: () => "stream_options",
    assumed: "stream_options",
    isUsed: ({ streamUsage, stream }) => streamUsage === undefined && stream !== "off",
  },
};

/** What a person has added. Two of them are known fields, whose values are theirs. */
export function extraFields({ extraBody }: Pick<Settings, "extraBody">, route: Route): readonly string[] {
  const names = Object.keys(extraBody[route] ?? {});
  return route === "chat" ? names : names.filter((name) => name !== "reasoning" && name !== "text");
}

/** Whether a field may be omitted after a refusal: not if a person insists on it. */
export const mayBeOmitted = (
  key: string,
  { stream, streamUsage }: Pick<BodySettings, "stream" | "streamUsage">,
): boolean => (key !== "stream" || stream !== "on") && (key !== "stream_options" || streamUsage !== true);

/** What is told of a field that a service accepts, and of one that it refuses. */
export const fieldAccepted = (name: string): Message => message("foundTaken", { name });
export const fieldRefused = (name: string): Message => message("foundRefused", { name });
export const noteOfField = (field: string): Message => message("noteField", { field });
export const noteOfValue = ({ path: field, value }: FieldValue): Message =>
  message("noteValue", { field, value });
