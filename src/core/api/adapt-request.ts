// What the words of a refusal are about: which part of the request they name, whether the part itself is not known or
// only what it holds, and what is sent instead. Services word it in every way there is; knows no network. Pure.
import { type Message, message } from "../messages/message.ts";
import type { Found } from "./capabilities.ts";
import type { ServiceError } from "./service-error.ts";
import { errorClass } from "./service-error.ts";

/** What a request held that the service may refuse. */
export interface Offered {
  /** Names of the optional fields that were sent. */
  readonly optional: readonly string[];
  /** What stands in them where it can be refused by itself. */
  readonly values: readonly HeldValue[];
  /** The type of each tool, in order. */
  readonly tools: readonly string[];
  /** Those whose form is found out. */
  readonly shapes: readonly Shape[];
  /** Everything in it that the interface does not show: names of fields, and shapes. */
  readonly unshown: readonly string[];
}

/** What has a plainer form: tools, results of custom ones, messages in the assistant's role that are no items of the service's. */
export type Shape = "custom" | "namespace" | "custom_tool_call_output" | "assistant";

export interface HeldValue {
  readonly path: string;
  readonly value: string;
}

export const nothingOffered: Offered = {
  optional: [],
  values: [],
  tools: [],
  shapes: [],
  unshown: [],
};

export interface Adaptation {
  readonly field: string;
  readonly note: Message;
  readonly found: Found;
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
  const paths = pathsOf(words);
  // A missing or unpaired tool output is not about the shape of a tool.
  const paired = /tool (call )?output|call_id/i.test(words.message);
  const namesOutput = paths.some((path) => path.includes("custom_tool_call_output"));
  const hasOutput = offered.shapes.includes("custom_tool_call_output");
  if (hasOutput && found.customOutput === "custom" && (paired || namesOutput)) {
    const note = message("noteResults");
    return { field: "custom_tool_call_output", note, found: { ...found, customOutput: "function" } };
  }
  if (paired) return undefined;
  return (
    adaptFields(words, paths, offered, found) ??
    adaptRole(words, paths, offered, found) ??
    adaptTools(words, paths, offered, found)
  );
}

/** Whether nobody can tell what it is about, so that it may be about anything that the interface does not show. */
export function isUnexplained(words: ServiceError | undefined, { optional, unshown }: Offered): boolean {
  if (unshown.length === 0) return false;
  if (words === undefined) return true;
  if (errorClass(words, 400) !== undefined) return false;
  const known = new Set([...always, ...optional, ...pinned]);
  if (words.message !== "" && !ofRequest.test(words.message)) return false;
  return !elsewhere.test(words.message) && !pathsOf(words).some(([top = ""]) => known.has(top));
}

/** Sent whatever is refused, where a person says so; of tools each has its form. */
const pinned = ["tools", "stream", "stream_options"];

/** It speaks of the request as such, in whatever words. */
const ofRequest =
  /\b(requests?|body|payload|params?|parameters?|arguments?|json|schemas?|fields?|propert(y|ies)|inputs?|entity|validation|invalid|malformed|unprocessable|unsupported|bad|not supported|format)\b|参数|请求|格式/i;

const elsewhere =
  /\b(images?|pictures?|vision|audio|files?|safety|moderation|polic(y|ies)|harm(ful)?|breakpoints?|api[ _-]?keys?|models?|context|tokens?|quota|balance|billing|credits?|call_id|too (long|large)|region|country)\b/i;

type Path = readonly string[];

/** What every request holds: words about it name no optional field, however they read. */
const always: ReadonlySet<string> = new Set(["model", "input", "messages"]);

/** A limit on spending and what the model was told to heed: a person would miss them. */
const precious = new Set(["max_output_tokens", "instructions"]);

const unknownPart =
  /\b((unknown|unrecogni[sz]ed|unexpected|unsupported|invalid|undefined|disallowed|extraneous)( (request|json|body|additional|extra))? (parameter|argument|field|propert|key|option|attribute|name|member|input)|(extra|additional) (inputs?|fields?|parameters?|propert\w+|keys?|arguments?)|extra_forbidden|was unexpected|cannot find field|no such (field|parameter)|unknown_parameter|unsupported_parameter|is unsupported)/i;
const itsValue =
  /\b((unsupported|invalid|illegal|wrong|bad) (value|option|choice|enum|level)|must be (one of|either|set)|(input )?should be ['"`\d]|expected one of|one of|(supported|allowed|valid|permitted|possible|available) (\w+ )?(values?|levels?|types?|options?|efforts?)|not one of|does(n't| not) support ['"`]?\w+['"`]? with|received ['"`]|got ['"`]|unknown variant|enum(eration)?|literal_error|unsupported_value|invalid_value|value)/i;
/** Of a precious one: what it says is refused, and it is known. */
const measured =
  /(?<![\w.-])\d|\b(values?|minimum|maximum|at (most|least)|between|range|(less|greater|more|fewer) than|under|over|below|above|exceeds?|too \w+|larger|smaller|longer|shorter)\b/i;
const positivelyUnknown =
  /\b(unknown|unrecogni[sz]ed|unexpected|unsupported (parameter|argument|field|property|key|option)s?|extra (inputs?|fields?|parameters?)|not (supported|allowed|permitted|known|recogni[sz]ed|accepted))\b/i;

function adaptFields(
  words: ServiceError,
  paths: readonly Path[],
  offered: Offered,
  found: Found,
): Adaptation | undefined {
  const text = `${words.message} ${words.code ?? ""}`;
  const isUnknown = unknownPart.test(text) && !/\bunsupported value|unsupported_value\b/i.test(text);
  const topOf = (path: Path) => path[0] ?? "";
  // Where a place is named, words that stand in it name nothing else.
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
  // What is said of a number or of a word belongs to whoever has set it.
  if (!isUnknown && held.length > 0 && itsValue.test(text)) return undefined;
  const inner = isUnknown && dropped.length === 1 ? innermost(path, held) : undefined;
  const fields = inner !== undefined ? [inner] : isUnknown && namesSeveral(words.message) ? dropped : [first];
  const field = fields.join(", ");
  return {
    field,
    note: message("noteField", { field }),
    found: { ...found, refused: [...found.refused, ...fields] },
  };
}

function adaptValue(refused: HeldValue | undefined, found: Found): Adaptation | undefined {
  if (refused === undefined) return undefined;
  const { path: field, value } = refused;
  const note = message("noteValue", { field, value });
  return { field, note, found: { ...found, values: [...found.values, refused] } };
}

/** No field is named, and one of all values stands there in quotes. */
function quotedAlone(text: string, held: readonly HeldValue[]): HeldValue | undefined {
  if (!/\b(supported|valid|allowed|one of)\b/i.test(text)) return undefined;
  const at = text.search(insteadWords);
  const head = at > 0 ? text.slice(0, at) : text;
  const quoted = held.filter(
    ({ value }) => value.length > 1 && new RegExp(`["'\`“]${escaped(value)}["'\`”]`).test(head),
  );
  return quoted.length === 1 ? quoted[0] : undefined;
}

/** The value that is quoted; of a field that holds one only, that one. */
function valueIn(text: string, path: Path, held: readonly HeldValue[]): HeldValue | undefined {
  if (!itsValue.test(text)) return undefined;
  const at = path.join(".");
  // One of a list is told by its place.
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

/** A nested field whose name is told, where more than it stands in its parent. */
function innermost(path: Path, held: readonly HeldValue[]): string | undefined {
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

/** Such a field is dropped only where none of its name is known, never because of what it says. */
const mayBeDropped = ({ message: text }: ServiceError, field: string): boolean =>
  !precious.has(field) || (positivelyUnknown.test(text) && !measured.test(text));

function adaptRole(
  { message: text }: ServiceError,
  paths: readonly Path[],
  { shapes }: Offered,
  found: Found,
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
  offered: Offered,
  found: Found,
): Adaptation | undefined {
  const text = words.message;
  const place = paths.find(([top]) => top === "tools") ?? [];
  // Of a function: what its parameters say is whoever's it is.
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
  const anyOf = type === undefined && functionsOnly;
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

/** Before it, words say what is refused; behind it, what would do. */
const insteadWords =
  /\b(supported|allowed|valid|permitted|possible|available|accepted) (\w+ )?(values?|parameters?|fields?|levels?|types?|options?|keys?)\b|did you mean|instead\b|expected one of|\bone of\b|\bexpected:? ['"`[(]/i;

/** Where a parameter stands is told by `param`, or by names in the text: paths, names in quotes, names that are announced. */
export function pathsOf(words: ServiceError): readonly Path[] {
  const place = placeOf(words);
  const text = words.message.slice(0, maxText);
  const at = text.search(insteadWords);
  const head = namesIn(at > 0 ? text.slice(0, at) : text);
  const paths = [
    ...(place === undefined ? [] : [place]),
    ...(head.length > 0 || at < 0 ? head : namesIn(text)),
  ];
  // As chat completions call it.
  return paths.flatMap((path) => (path[0] === "reasoning_effort" ? [path, ["reasoning", "effort"]] : [path]));
}

/** A gateway passes on what it was told as text. */
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
