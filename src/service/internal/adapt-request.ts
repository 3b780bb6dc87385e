// Interprets the words of a refusal: which part of the request they name, whether the part itself or only its value is
// refused, and what is sent instead. Services phrase this in many ways. Does no I/O. Pure.
import { type Message, message } from "../../conversation/messages.ts";
import type { Capabilities } from "../capabilities.ts";
import { errorClass, isAboutContent, type ServiceError } from "./fault.ts";

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

/**
 * Things with a plainer form: tools, results of custom ones, assistant messages that are not the service's own items.
 */
export type Shape = "custom" | "namespace" | "custom_tool_call_output" | "assistant" | "picture";

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

export interface Adaptation {
  readonly field: string;
  readonly note: Message;
  readonly found: Capabilities;
  /** The refusal does not name what it refuses, so the finding is kept only if it helps twice. */
  readonly isGuess?: true;
  /** A field that is omitted for this request only: its current value is refused, not the field. */
  readonly once?: string;
}

/** What a refusal teaches; `undefined` when it is about something else. */
export function adapt(
  words: ServiceError | undefined,
  offered: RequestFeatures,
  found: Capabilities,
): Adaptation | undefined {
  if (words === undefined) return undefined;
  const about = errorClass(words, 400);
  if (about === "too-long") return adaptLong(words, offered, found);
  if (about === "quota" || isAboutContent(words)) return undefined;
  const picture = adaptPictures(words, offered, found);
  if (picture !== undefined) return picture;
  if (aboutPlace.test(words.message)) return undefined;
  const paths = pathsOf(words);
  const namesOutput = paths.some((path) => path.includes("custom_tool_call_output"));
  const hasOutput = offered.shapes.includes("custom_tool_call_output") && found.customOutput === "custom";
  if (hasOutput && (namesOutput || lacksOutput.test(words.message))) {
    const note = message("noteResults");
    const adaptation = { field: "custom_tool_call_output", note } as const;
    const inOtherForm = { ...adaptation, found: { ...found, customOutput: "function" } as const };
    return namesOutput ? inOtherForm : { ...inOtherForm, isGuess: true };
  }
  // Words about one call, or about a position, do not concern a shape.
  if (/tool (call )?output|call_id/i.test(words.message)) return undefined;
  return (
    adaptFields(words, paths, offered, found) ??
    adaptRole(words, paths, offered, found) ??
    adaptTools(words, paths, offered, found)
  );
}

/** Handles an optional field whose value is too long for this service. */
function adaptLong(
  { code, param }: ServiceError,
  { optional }: RequestFeatures,
  found: Capabilities,
): Adaptation | undefined {
  if (
    code !== "string_above_max_length" ||
    param === undefined ||
    precious.has(param) ||
    !optional.includes(param)
  )
    return undefined;
  const note = message("noteField", { field: param });
  return { field: param, note, once: param, found: { ...found, refused: [...found.refused, param] } };
}

/** Detects a refusal of pictures, which are either named or in a position where a text was expected. */
function adaptPictures(
  { message: text }: ServiceError,
  { shapes }: RequestFeatures,
  found: Capabilities,
): Adaptation | undefined {
  if (!shapes.includes("picture") || found.pictures === "omitted") return undefined;
  const isRefused = (pictureWords.test(text) && refusedWords.test(text)) || textExpected.test(text);
  if (!isRefused) return undefined;
  const pictures = "omitted" as const;
  return { field: "pictures", note: message("notePictures"), found: { ...found, pictures } };
}

const pictureWords = /\b(images?|pictures?|vision|multi-?modal|input_image|image_url)\b|图片|图像/i;
const refusedWords =
  /\bnot (be )?(supported|accepted|allowed|available|enabled|permitted|implemented)\b|\bunsupported\b|\b(does(n't| not)|cannot|can't|do not|don't) (support|accept|process|handle|take)\b|\bsupport(s|ed)? (only )?(image|vision|text)\b|\bno (endpoints|vision)\b|\bonly .{0,20}text\b|\bunknown variant\b|不支持/i;
const textExpected =
  /invalid type: sequence, expected a string|content.{0,40}\b(must be|should be|expected|valid) (a |an )?string\b/i;

/** A position in the conversation is not a field of the request. */
const aboutPlace = /\b(position|index) \d+\b/i;

/**
 * The result of a call was sent but not recognized. If the call is reported missing instead, its result was recognized.
 */
const lacksOutput =
  /\b(no|missing|without|lacks?)\b(?! (tool |function )?calls? (was )?found\b).{0,40}\b(outputs?|results?)\b/i;

type Path = readonly string[];

/** Fields of every request: words about them do not name an optional field, whatever they look like. */
const always: ReadonlySet<string> = new Set(["model", "input", "messages"]);

/** A spending limit and the model's instructions: a person would notice their absence. */
const precious = new Set(["max_output_tokens", "instructions"]);

const unknownPart =
  /\b((unknown|unrecogni[sz]ed|unexpected|unsupported|invalid|undefined|disallowed|extraneous)( (request|json|body|additional|extra))? (parameter|argument|field|propert|key|option|attribute|name|member|input)|(extra|additional) (inputs?|fields?|parameters?|propert\w+|keys?|arguments?)|extra_forbidden|was unexpected|cannot find field|no such (field|parameter)|unknown_parameter|unsupported_parameter|is unsupported)/i;
const itsValue =
  /\b((unsupported|invalid|illegal|wrong|bad) (value|option|choice|enum|level)|must be (one of|either|set)|(input )?should be ['"`\d]|expected one of|one of|(supported|allowed|valid|permitted|possible|available) (\w+ )?(values?|levels?|types?|options?|efforts?)|not one of|does(n't| not) support ['"`]?\w+['"`]? with|received ['"`]|got ['"`]|unknown variant|enum(eration)?|literal_error|unsupported_value|invalid_value|value)/i;
/** For a precious field: its value is refused, while the field itself is known. */
const measured =
  /(?<![\w.-])\d|\b(values?|minimum|maximum|at (most|least)|between|range|(less|greater|more|fewer) than|under|over|below|above|exceeds?|too \w+|larger|smaller|longer|shorter)\b/i;
/** A number is out of range; the field itself is accepted. */
const outOfRange =
  /\bmust be (at (least|most)|between|greater|less|more|below|above|positive)\b|\bout of range\b/i;
const positivelyUnknown =
  /\b(unknown|unrecogni[sz]ed|unexpected|unsupported (parameter|argument|field|property|key|option)s?|extra (inputs?|fields?|parameters?)|not (supported|allowed|permitted|known|recogni[sz]ed|accepted))\b/i;

function adaptFields(
  words: ServiceError,
  paths: readonly Path[],
  offered: RequestFeatures,
  found: Capabilities,
): Adaptation | undefined {
  const text = `${words.message} ${words.code ?? ""}`;
  const isUnknown = unknownPart.test(text) && !/\bunsupported value|unsupported_value\b/i.test(text);
  const topOf = (path: Path) => path[0] ?? "";
  // If a position is named, words that occur at it name nothing else.
  const place = placeOf(words);
  if (place !== undefined && (always.has(topOf(place)) || topOf(place) === "tools")) return undefined;
  const named = offered.optional.filter((name) => paths.some((path) => topOf(path) === name));
  const dropped = named.filter((name) => mayBeDropped(words, name));
  const [first] = dropped;
  if (named.length === 0 && !isUnknown) return adaptValue(quotedAlone(text, offered.values), found);
  if (first === undefined) return undefined;
  const [path = [first]] = paths.filter((each) => topOf(each) === first);
  const held = offered.values.filter((each) => each.path === first || each.path.startsWith(`${first}.`));
  const refused = isUnknown ? undefined : valueIn(text, path, held);
  if (refused !== undefined) return adaptValue(refused, found);
  // A refused number or word is up to whoever set it.
  if (!isUnknown && held.length > 0 && (itsValue.test(text) || outOfRange.test(text))) return undefined;
  const inner = isUnknown && dropped.length === 1 ? innermost(path, held) : undefined;
  const fields = inner !== undefined ? [inner] : isUnknown && namesSeveral(words.message) ? dropped : [first];
  const field = fields.join(", ");
  return {
    field,
    note: message("noteField", { field }),
    found: { ...found, refused: [...found.refused, ...fields] },
  };
}

function adaptValue(refused: FieldValue | undefined, found: Capabilities): Adaptation | undefined {
  if (refused === undefined) return undefined;
  const { path: field, value } = refused;
  const note = message("noteValue", { field, value });
  return { field, note, found: { ...found, values: [...found.values, refused] } };
}

/** No field is named, but exactly one of all values is quoted. */
function quotedAlone(text: string, held: readonly FieldValue[]): FieldValue | undefined {
  if (!/\b(supported|valid|allowed|one of)\b/i.test(text)) return undefined;
  const at = text.search(insteadWords);
  const head = at > 0 ? text.slice(0, at) : text;
  const quoted = held.filter(
    ({ value }) => value.length > 1 && new RegExp(`["'\`“]${escaped(value)}["'\`”]`).test(head),
  );
  return quoted.length === 1 ? quoted[0] : undefined;
}

/** The value that is quoted; if the field has only one value, that one. */
function valueIn(text: string, path: Path, held: readonly FieldValue[]): FieldValue | undefined {
  if (!itsValue.test(text)) return undefined;
  const at = path.join(".");
  // An element of a list is identified by its index.
  const listed = held.filter((each) => each.path === path[0]);
  const nth = listed.length > 1 && /^\d+$/.test(path[1] ?? "") ? listed[Number(path[1])] : undefined;
  if (nth !== undefined) return nth;
  const near = held.filter(
    (each) => each.path === at || each.path.startsWith(`${at}.`) || at.startsWith(each.path),
  );
  const quoted = (near.length > 0 ? near : held).find(({ value }) => isQuoted(text, value));
  if (quoted !== undefined) return quoted;
  return near.length === 1 ? near[0] : held.length === 1 ? held[0] : undefined;
}

/** The innermost nested field on the path that was sent; undefined if none was. */
function innermost(path: Path, held: readonly FieldValue[]): string | undefined {
  for (let length = path.length; length > 1; length--) {
    const at = path.slice(0, length).join(".");
    if (held.some((each) => each.path === at || each.path.startsWith(`${at}.`))) return at;
  }
  return undefined;
}

const isQuoted = (text: string, value: string): boolean =>
  value !== "" &&
  new RegExp(`["'\`“‘]${escaped(value)}["'\`”’]|(?<![\\w.-])${escaped(value)}(?![\\w-])`, "i").test(text);

const namesSeveral = (text: string): boolean =>
  /\b(parameters|arguments|fields|properties|keys|options|inputs|names)\b/i.test(text) ||
  text.split(/extra |unknown |unsupported /i).length > 2;

/** A precious field is dropped only if its name is unknown, never because of its value. */
const mayBeDropped = ({ message: text }: ServiceError, field: string): boolean =>
  !precious.has(field) || (positivelyUnknown.test(text) && !measured.test(text));

function adaptRole(
  { message: text }: ServiceError,
  paths: readonly Path[],
  { shapes }: RequestFeatures,
  found: Capabilities,
): Adaptation | undefined {
  if (!shapes.includes("assistant") || found.assistantText === "recap") return undefined;
  const aboutRole =
    (/\bassistant\b/i.test(text) && /\b(role|messages?|values?)\b/i.test(text)) ||
    /\boutput_text\b/.test(text) ||
    paths.some((path) => path.length > 1 && path.at(-1) === "role");
  if (!aboutRole) return undefined;
  return { field: "role", note: message("noteOthers"), found: { ...found, assistantText: "recap" } };
}

function adaptTools(
  words: ServiceError,
  paths: readonly Path[],
  offered: RequestFeatures,
  found: Capabilities,
): Adaptation | undefined {
  const text = words.message;
  const place = paths.find(([top]) => top === "tools") ?? [];
  // The parameters of a function are up to whoever defined it.
  if (place.includes("parameters")) return undefined;
  const type = offered.tools[Number(place.find((step) => /^\d+$/.test(step)))];
  const about = (...names: readonly string[]) =>
    names.some((name) => place.includes(name) || paths.some((path) => path.length === 1 && path[0] === name));
  const functionsOnly =
    /\bonly\b.{0,60}\bfunctions?\b|(expected|should be|must be)( one of)?[ :]*['"`]?function\b/i.test(text);
  const isNamespace =
    type === "namespace" || (type === undefined && (about("namespace") || /\bnamespaces?\b/i.test(text)));
  const isCustom =
    type === "custom" ||
    (type === undefined && (about("custom", "apply_patch") || /\b(custom|freeform) tools?\b/i.test(text)));
  const hasPatch = offered.shapes.includes("custom");
  const isGrammar =
    hasPatch &&
    found.patch === "grammar" &&
    (type === undefined || type === "custom") &&
    (about("format", "grammar", "syntax", "definition", "lark") || /\b(grammar|lark)\b/i.test(text));
  if (isGrammar) return { field: "format", note: message("noteGrammar"), found: { ...found, patch: "text" } };
  const anyOf =
    type === undefined && (functionsOnly || /\b(unknown|unsupported|invalid) tool types?\b/i.test(text));
  const flat = offered.shapes.includes("namespace") && (isNamespace || anyOf);
  const plain = hasPatch && !isNamespace && (isCustom || anyOf);
  if (plain) {
    const namespaces = flat ? "flat" : found.namespaces;
    return {
      field: "custom",
      note: message("noteFunction"),
      found: { ...found, patch: "function", namespaces },
    };
  }
  if (!flat) return undefined;
  return { field: "namespace", note: message("noteNamespaces"), found: { ...found, namespaces: "flat" } };
}

/** What precedes these words is refused; what follows would be accepted. */
const insteadWords =
  /\b(supported|allowed|valid|permitted|possible|available|accepted) (\w+ )?(values?|parameters?|fields?|levels?|types?|options?|keys?)\b|did you mean|instead\b|expected one of|\bone of\b|\bexpected:? ['"`[(]/i;

/** A parameter's position is given by `param`, or by names in the text: paths, quoted names, announced names. */
export function pathsOf(words: ServiceError): readonly Path[] {
  const place = placeOf(words);
  const text = words.message.slice(0, maxText).replaceAll("(s)", "s");
  const at = text.search(insteadWords);
  const head = namesIn(at > 0 ? text.slice(0, at) : text);
  const paths = [
    ...(place === undefined ? [] : [place]),
    ...(head.length > 0 || at < 0 ? head : namesIn(text)),
  ];
  // Chat completions call it by this name.
  return paths.flatMap((path) => (path[0] === "reasoning_effort" ? [path, ["reasoning", "effort"]] : [path]));
}

/** A gateway repeats as text what it was told. */
function placeOf({ message: text, param }: ServiceError): Path | undefined {
  const name = param ?? /["']param["']\s{0,3}:\s{0,3}["']([^"']{1,120})["']/.exec(text)?.[1];
  const place = name === undefined ? [] : stepsOf(name);
  return place.length === 0 ? undefined : place;
}

const maxText = 4_000;

const announcedName =
  /\b(?:parameters?|params?|arguments?|fields?|property|properties|keys?|options?|types?|unknown names?)(?: names?| supplied| provided| passed| given| found)?:? ([A-Za-z_][\w.[\]/-]{0,100})/gi;
const subject =
  /(?:^|[\n;.] ?|: )(?:the |this )?([A-Za-z_][\w.[\]]{0,100})(?: (?:parameter|field|argument|option|property|key))? (?:is|are|isn't|was|has|cannot|can't|must|should|may|not|unsupported|unknown|does)\b/gi;
const leading = /(?:^|[\n;,] ?)([A-Za-z_][\w.[\]]{0,100}) ?:/g;
const ownLine = /^[ \t]*([A-Za-z_][\w.[\]]{0,100})[ \t]*$/gm;
const quotedName = /(?<!["']\s{0,3}:\s{0,3})["'`“‘]([#$/\w][\w.[\]/#$-]{0,100})["'`”’]/g;
/** As frameworks print it: `('body', 'tools', 0)`, `body -> tools -> 0`. */
const place = /\bbody\b(?:'?, '?\w{1,60}|"?, "?\w{1,60}| -> \w{1,60}){1,9}/g;
const pathToken = /[#$/]{0,2}[A-Za-z_][\w.[\]/-]{0,100}/g;

function namesIn(text: string): Path[] {
  const found = [announcedName, quotedName, subject, leading, ownLine].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, name = ""]) => name),
  );
  const tokens = [...text.matchAll(pathToken)]
    .map(([token]) => token)
    .filter((token) => /\w[._[/]\w/.test(token));
  const places = [...text.matchAll(place)].map(([found]) => found);
  return [...places, ...found, ...tokens].map(stepsOf).filter((path) => path.length > 0);
}

/** `tools[0].format`, `tools.0.format`, `#/tools/0/format`, `body -> tools -> 0`. */
function stepsOf(path: string): string[] {
  const steps = path.split(/[.,[\]/#$'"\s>]+|->/).filter((step) => step !== "" && step !== "-");
  const from = steps.findIndex((step) => !/^(body|request|payload|params|json|data|root)$/.test(step));
  return from < 0 ? [] : steps.slice(from);
}

const escaped = (text: string): string => text.replace(/[^\w-]/g, "\\$&");
