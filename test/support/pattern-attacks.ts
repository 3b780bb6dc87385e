// Texts that make a pattern work as long as it can: what its parts match, repeated, and then something that it does not
// match, so that an engine which goes back has all to go back over. They are made from the pattern itself, so that a
// new one is attacked without anybody having thought about it.

/** A text of about so many characters. */
export type Attack = (size: number) => string;

interface Part {
  /** Texts that it matches, as short as they can be. */
  readonly samples: readonly string[];
  /** It may match any number of times. */
  readonly isRepeated: boolean;
  /** It may be absent. */
  readonly isOptional: boolean;
  readonly inner: readonly (readonly Part[])[];
}

const maxSamples = 3;
const maxAttacks = 60;
/** Of those, on what is repeated as a whole. */
const maxLoops = 20;
/** Of each kind of letter that a set may hold. */
const letters = [
  "a",
  "A",
  "0",
  " ",
  "\n",
  "\t",
  "-",
  "_",
  ".",
  "/",
  "\\",
  '"',
  "'",
  "<",
  "=",
  ":",
  ",",
  "{",
  "[",
  "(",
  "`",
  "~",
  "*",
  "#",
  "+",
  "|",
  "$",
  "%",
  "@",
  "\r",
  "\u0000",
  "\u001b",
  "\u0301",
  "\u4e2d",
  "\u200b",
  "\u{1f600}",
  "é",
];
const ends = ["", "\u0000", "!", "\n", " x"];

export function attacksOn({ source, flags }: RegExp): Attack[] {
  const branches = new PatternReader(source, flags.replace(/[gy]/g, "")).read();
  const units = new Set<string>();
  const heads: [head: string, unit: string][] = [];
  const loops: [head: string, turn: string][] = [];
  for (const branch of branches) collect(branch, "", units, heads, loops);
  const repeated = [...units].filter((unit) => unit !== "");
  const attacks: Attack[] = [];
  const repeat = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length));
  for (const [head, unit] of heads)
    for (const before of ["", "x"])
      for (const end of ends) attacks.push((size) => before + head + repeat(unit, size) + end);
  for (const unit of repeated)
    for (const before of ["", " ", "-", "\n"]) attacks.push((size) => `${repeat(before + unit, size)}\u0000`);
  const turns = spread(loops, maxLoops).map(
    ([head, turn]): Attack =>
      (size) =>
        `${head}${repeat(turn, size)}\u0000`,
  );
  return [...turns, ...spread(attacks, maxAttacks - turns.length)];
}

/** Some of very many, from all over. */
function spread<Each>(all: readonly Each[], most: number): Each[] {
  const step = Math.max(1, all.length / most);
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** What one turn of a repeated group may match: each of its alternatives, with and without what may be absent. */
function turnsOf(parts: readonly Part[]): readonly string[] {
  const least = parts.map(({ samples, isOptional }) => (isOptional ? "" : (samples[0] ?? "")));
  const most = parts.map(({ samples }) => samples[0] ?? "");
  const chosen = parts.flatMap(({ samples, inner }, at) =>
    // What is only looked at is matched by another part.
    samples.every((sample) => sample === "")
      ? []
      : inner.flatMap(turnsOf).map((turn) => least.with(at, turn).join("")),
  );
  return [...new Set([least.join(""), most.join(""), ...chosen])];
}

/** What comes before each part that may be repeated, and every beginning of the whole. */
function collect(
  parts: readonly Part[],
  before: string,
  units: Set<string>,
  heads: [string, string][],
  loops: [string, string][],
): void {
  let head = before;
  for (const part of parts) {
    if (part.isRepeated) for (const sample of part.samples) if (sample !== "") heads.push([head, sample]);
    if (part.isRepeated)
      for (const turn of new Set(part.inner.flatMap(turnsOf))) if (turn !== "") loops.push([head, turn]);
    for (const branch of part.inner) collect(branch, head, units, heads, loops);
    head += part.samples[0] ?? "";
    units.add(head);
    for (const sample of part.samples) units.add(sample);
  }
}

class PatternReader {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  read(): readonly (readonly Part[])[] {
    const branches: Part[][] = [[]];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ")") {
      if (this.#source[this.#at] === "|") {
        this.#at++;
        branches.push([]);
      } else branches.at(-1)?.push(this.#repeat(this.#part()));
    }
    return branches;
  }

  #part(): Part {
    const from = this.#at;
    const letter = this.#source.charAt(this.#at);
    if (letter === "(") return this.#group();
    if (letter === "^" || letter === "$") return this.#skip(1, [""]);
    if (letter === "[") {
      this.#at++;
      while (this.#source[this.#at] !== "]") this.#at += this.#source[this.#at] === "\\" ? 2 : 1;
      return this.#skip(1, this.#fitting(from, this.#at + 1));
    }
    if (letter === "\\") return this.#escape();
    if (letter === ".") return this.#skip(1, this.#fitting(from, from + 1));
    return this.#skip(String.fromCodePoint(this.#source.codePointAt(from) ?? 0).length, undefined);
  }

  #escape(): Part {
    const rest = this.#source.slice(this.#at);
    const [whole] = /^\\(?:u\{[^}]*\}|u.{4}|x..|[pPk][{<][^}>]*[}>]|c.|\d+|.)/s.exec(rest) ?? ["\\"];
    if (/^\\[bB\dk]/.test(whole)) return this.#skip(whole.length, [""]);
    return this.#skip(whole.length, this.#fitting(this.#at, this.#at + whole.length));
  }

  #group(): Part {
    const [opening] = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/.exec(this.#source.slice(this.#at)) ?? ["("];
    this.#at += opening.length;
    const inner = this.read();
    this.#at++;
    const isAssertion = /^\(\?<?[=!]/.test(opening);
    const whole = inner.map((parts) => parts.map(({ samples }) => samples[0] ?? "").join(""));
    const samples = isAssertion ? [""] : pick(whole);
    return { samples, isRepeated: false, isOptional: false, inner };
  }

  #repeat(part: Part): Part {
    const [written] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(this.#source.slice(this.#at)) ?? [""];
    this.#at += written.length;
    if (written === "") return part;
    const [, least = "0", comma, most = ""] = /^\{(\d+)(,?)(\d*)\}/.exec(written) ?? [];
    const min = written.startsWith("{") ? Number(least) : written.startsWith("+") ? 1 : 0;
    const isOpen = written.startsWith("{") ? comma === "," && most === "" : !written.startsWith("?");
    // Few repetitions at most are as good as none.
    const isRepeated = isOpen || Number(most || least) >= 8;
    // What may be absent is looked at as if it were there.
    const samples = part.samples.map((sample) => sample.repeat(Math.max(1, min)));
    return { samples, isRepeated, isOptional: written.startsWith("?"), inner: part.inner };
  }

  #skip(length: number, samples: readonly string[] | undefined): Part {
    const text = this.#source.slice(this.#at, this.#at + (samples === undefined ? length : 0));
    this.#at += length;
    return { samples: samples ?? [text], isRepeated: false, isOptional: false, inner: [] };
  }

  /** Letters that a set or a class holds. */
  #fitting(from: number, to: number): readonly string[] {
    const source = this.#source.slice(from, to);
    this.#at = from;
    const one = new RegExp(`^${source}$`, this.#flags);
    const named = [...source.slice(1, -1)].filter((letter) => one.test(letter));
    const found = [...letters, ...named].filter((letter) => one.test(letter));
    this.#at = to - (source.startsWith("[") ? 1 : source.length);
    return pick(found);
  }
}

/** The first and others from further on. */
function pick(all: readonly string[]): readonly string[] {
  const unique = [...new Set(all)];
  if (unique.length <= maxSamples) return unique.length === 0 ? [""] : unique;
  return Array.from(
    { length: maxSamples },
    (_, at) => unique[Math.floor((at * unique.length) / maxSamples)] ?? "",
  );
}
