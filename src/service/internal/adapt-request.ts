// Finds out which part of a request a refusal is about, whether the part itself or only its value is refused, and what
// is sent instead. The words are read in refusal.ts; what may be refused is in dialect.ts. Does no I/O. Pure.
import type { Message } from "../../conversation/messages.ts";
import type { Capabilities } from "../capabilities.ts";
import {
  type FieldValue,
  noteOfField,
  noteOfValue,
  preciousFields,
  type Refusable,
  type RefusableName,
  type RequestFeatures,
  refusable,
  requiredFields,
} from "./dialect.ts";
import { errorClass, isAboutContent, type ServiceError } from "./fault.ts";
import {
  insteadWords,
  isAboutCall,
  isAboutPosition,
  type Path,
  type Refusal,
  readRefusal,
} from "./refusal.ts";

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
  const refusal = readRefusal(words);
  const to = (name: RefusableName) => plainer(name, refusal, offered, found);
  const picture = to("pictures");
  if (picture !== undefined) return picture;
  if (isAboutPosition(refusal)) return undefined;
  const results = to("customOutput");
  if (results !== undefined) return results;
  if (isAboutCall(refusal)) return undefined;
  const shown = adaptFields(refusal, offered, found) ?? to("assistantText");
  if (shown !== undefined) return shown;
  const patch = to("patch");
  // A patch tool that only loses its grammar stays a custom one.
  if (patch?.found.patch === "text") return patch;
  const namespaces = to("namespaces");
  if (patch === undefined || namespaces === undefined) return patch ?? namespaces;
  return { ...patch, found: { ...patch.found, namespaces: namespaces.found.namespaces } };
}

/** The features differ in the names of their forms, which are only ever compared with each other. */
type AnyFeature = Refusable<string>;

/** The next plainer form of a feature, if the request has it and the refusal is about it. */
function plainer(
  name: RefusableName,
  refusal: Refusal,
  offered: RequestFeatures,
  found: Capabilities,
): Adaptation | undefined {
  const feature = refusable[name] as AnyFeature;
  const now = found[name] ?? feature.forms[0];
  if (!offered.shapes.includes(feature.shape) || now === feature.forms.at(-1)) return undefined;
  const refused = feature.refused(refusal, offered, now);
  const repeated = refused && feature.repeated[refused.form];
  if (refused === undefined || repeated === undefined) return undefined;
  const { form, isGuess } = refused;
  return { ...repeated, found: { ...found, [name]: form }, ...(isGuess && { isGuess }) };
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
    preciousFields.has(param) ||
    !optional.includes(param)
  )
    return undefined;
  return {
    field: param,
    note: noteOfField(param),
    once: param,
    found: { ...found, refused: [...found.refused, param] },
  };
}

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
  { words, paths, place }: Refusal,
  offered: RequestFeatures,
  found: Capabilities,
): Adaptation | undefined {
  const text = `${words.message} ${words.code ?? ""}`;
  const isUnknown = unknownPart.test(text) && !/\bunsupported value|unsupported_value\b/i.test(text);
  const topOf = (path: Path) => path[0] ?? "";
  // If a position is named, words that occur at it name nothing else.
  if (place !== undefined && (requiredFields.has(topOf(place)) || topOf(place) === "tools")) return undefined;
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
    note: noteOfField(field),
    found: { ...found, refused: [...found.refused, ...fields] },
  };
}

function adaptValue(refused: FieldValue | undefined, found: Capabilities): Adaptation | undefined {
  if (refused === undefined) return undefined;
  return {
    field: refused.path,
    note: noteOfValue(refused),
    found: { ...found, values: [...found.values, refused] },
  };
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
  !preciousFields.has(field) || (positivelyUnknown.test(text) && !measured.test(text));

const escaped = (text: string): string => text.replace(/[^\w-]/g, "\\$&");
