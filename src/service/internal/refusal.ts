// Reads the words of a refusal: which parts of the request they name. Services phrase this in many ways. What follows
// from it is in dialect.ts and adapt-request.ts. Pure.
import type { ServiceError } from "./fault.ts";

export type Path = readonly string[];

export interface Refusal {
  readonly words: ServiceError;
  /** The position that is named on its own, not in a sentence. */
  readonly place: Path | undefined;
  /** Everything that is named, the position first. */
  readonly paths: readonly Path[];
}

export function readRefusal(words: ServiceError): Refusal {
  return { words, place: placeOf(words), paths: pathsOf(words) };
}

/** A position in the conversation is not a field of the request. */
export const isAboutPosition = ({ words }: Refusal): boolean =>
  /\b(position|index) \d+\b/i.test(words.message);

/** Words about one call, or about a position, do not concern a shape. */
export const isAboutCall = ({ words }: Refusal): boolean =>
  /tool (call )?output|call_id/i.test(words.message);

/** What a refusal says about the tools of a request. */
export interface ToolRefusal {
  /** The type of the tool at the position that is named. */
  readonly type: string | undefined;
  /** The parameters of a function are up to whoever defined it. */
  readonly isAboutParameters: boolean;
  /** Only functions are accepted, or the type of some tool is unknown. */
  readonly isAboutTypes: boolean;
  names(...names: readonly string[]): boolean;
}

export function toolRefusal({ words, paths }: Refusal, types: readonly string[]): ToolRefusal {
  const place = paths.find(([top]) => top === "tools") ?? [];
  const type = types[Number(place.find((step) => /^\d+$/.test(step)))];
  const text = words.message;
  const functionsOnly =
    /\bonly\b.{0,60}\bfunctions?\b|(expected|should be|must be)( one of)?[ :]*['"`]?function\b/i.test(text);
  return {
    type,
    isAboutParameters: place.includes("parameters"),
    isAboutTypes:
      type === undefined && (functionsOnly || /\b(unknown|unsupported|invalid) tool types?\b/i.test(text)),
    names: (...names) =>
      names.some(
        (name) => place.includes(name) || paths.some((path) => path.length === 1 && path[0] === name),
      ),
  };
}

/** What precedes these words is refused; what follows would be accepted. */
export const insteadWords =
  /\b(supported|allowed|valid|permitted|possible|available|accepted) (\w+ )?(values?|parameters?|fields?|levels?|types?|options?|keys?)\b|did you mean|instead\b|expected one of|\bone of\b|\bexpected:? ['"`[(]/i;

/** A parameter's position is given by `param`, or by names in the text: paths, quoted names, announced names. */
function pathsOf(words: ServiceError): readonly Path[] {
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
