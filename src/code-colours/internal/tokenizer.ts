// Converts code to runs of one colour and style, line by line, with the user's grammars and theme. The libraries that
// VS Code uses for this, vscode-textmate and vscode-oniguruma, are passed in.

import type * as Textmate from "vscode-textmate";
import { fieldsOf, parseLoosely } from "../../util/json.ts";
import { bracketStyle, styleOf } from "../colour-runs.ts";
import type { GrammarTable } from "./grammar-table.ts";
import { colourOf, type ThemeColouring } from "./theme-rules.ts";

// Bracket pairs are coloured by nesting depth, like in VS Code's editor. Unclosed brackets are coloured as well: a code
// block in a response may be an excerpt, or not complete yet.

interface BracketPairs {
  /** Finds the next bracket of a language. */
  readonly pattern: RegExp;
  /**
   * Opening brackets, and whether they are coloured. Uncoloured ones only keep their closing brackets from closing
   * others.
   */
  readonly opening: ReadonlyMap<string, boolean>;
  /** For each closing bracket, the opening brackets that it closes. */
  readonly closing: ReadonlyMap<string, ReadonlySet<string>>;
}

/** An open bracket and those around it. Immutable: each line refers to the one at its beginning. */
export interface OpenBracket {
  readonly text: string;
  /** Brackets of one language never close those of another. */
  readonly language: number;
  /** Absent if the bracket is not coloured. */
  readonly level: number | undefined;
  /** The level of brackets directly inside it. */
  readonly levelInside: number;
  readonly around: OpenBracket | undefined;
}

/** Reads language configurations. */
export function bracketPairsOf(configurations: readonly unknown[]): BracketPairs | undefined {
  const fields = Object.assign({}, ...configurations.map(fieldsOf)) as Readonly<Record<string, unknown>>;
  const written = pairsIn(fields["brackets"]) ?? [];
  const coloured =
    pairsIn(fields["colorizedBracketPairs"]) ??
    // Unless configured as coloured, "<" is more often a comparison than a bracket.
    written.filter(([open, close]) => open !== "<" || close !== ">");
  if (coloured.length === 0) return undefined;
  const opening = new Map([
    ...written.map(([open]) => [open, false] as const),
    ...coloured.map(([open]) => [open, true] as const),
  ]);
  const closing = new Map<string, Set<string>>();
  for (const [open, close] of [...written, ...coloured])
    closing.set(close, new Set([...(closing.get(close) ?? []), open]));
  const longest = [...new Set([...opening.keys(), ...closing.keys()])].sort((a, b) => b.length - a.length);
  return { pattern: new RegExp(longest.map(asPattern).join("|"), "gi"), opening, closing };
}

function pairsIn(value: unknown): readonly (readonly [string, string])[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((pair: unknown) => {
    const [open, close] = Array.isArray(pair) ? pair : [];
    const isPair = typeof open === "string" && typeof close === "string" && open !== "" && close !== "";
    return isPair ? [[open.toLowerCase(), close.toLowerCase()] as const] : [];
  });
}

/** A word is only a bracket as a whole: "begin", but not "beginning". */
function asPattern(bracket: string): string {
  const escaped = bracket.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  return `${/^\w/.test(bracket) ? "\\b" : ""}${escaped}${/\w$/.test(bracket) ? "\\b" : ""}`;
}

interface FoundBracket {
  /** Absent if the bracket is not coloured. */
  readonly level: number | undefined;
  /** The open brackets after it. */
  readonly open: OpenBracket | undefined;
}

/** Classifies a bracket, given the open ones; `undefined` if it closes none of them. */
export function trackBracket(
  written: string,
  pairs: BracketPairs,
  language: number,
  open: OpenBracket | undefined,
  eachKindAlone: boolean,
): FoundBracket | undefined {
  const text = written.toLowerCase();
  const isColoured = pairs.opening.get(text);
  if (isColoured !== undefined) {
    const around = open?.levelInside ?? 0;
    const level = !isColoured ? undefined : eachKindAlone ? levelOfKind(text, language, open) : around;
    const levelInside = isColoured ? around + 1 : around;
    return { level, open: { text, language, level, levelInside, around: open } };
  }
  const closes = pairs.closing.get(text);
  for (let each = open; each !== undefined; each = each.around) {
    if (each.language === language && closes?.has(each.text) === true)
      return { level: each.level, open: each.around };
  }
  return undefined;
}

function levelOfKind(text: string, language: number, open: OpenBracket | undefined): number {
  let above = open;
  while (above !== undefined && (above.text !== text || above.language !== language)) above = above.around;
  return above?.level === undefined ? 0 : above.level + 1;
}

export interface TokenizerDeps {
  readonly textmate: Pick<typeof Textmate, "Registry" | "parseRawGrammar" | "INITIAL">;
  readonly onigLib: Promise<Textmate.IOnigLib>;
  read(path: string): Promise<string>;
}

export interface BracketSettings {
  readonly enabled: boolean;
  /** Each kind of bracket has its own nesting depth. */
  readonly eachKindAlone: boolean;
}

/** The state at the beginning of a line. */
export interface LineState {
  readonly stack: Textmate.StateStack;
  readonly open: OpenBracket | undefined;
}

export interface LineTokenizer {
  readonly start: LineState;
  next(line: string, before: LineState): { readonly runs: number[]; readonly after: LineState };
}

export interface Tokenizer {
  /** Returns the colours; runs refer to them by index. Results from before have other colours. */
  setTheme(theme: ThemeColouring, brackets: BracketSettings): readonly string[];
  /** Returns `undefined` if no grammar can be read for it. */
  forLanguage(language: string): Promise<LineTokenizer | undefined>;
}

/** VS Code's own limits: a line that is longer or takes longer is not coloured. */
const longestLine = 20_000;
const longestTime = 500;
/**
 * A grammar's rules are compiled when its first lines use them. On a busy machine this takes longer and does not
 * indicate a bad line.
 */
const firstLines = 200;
const longestFirstTime = 5_000;
/** A grammar refers to languages by 8-bit numbers. */
const mostLanguages = 255;

type TokenTypes = NonNullable<Textmate.IGrammarConfiguration["tokenTypes"]>;
const standardTypes: Readonly<Record<string, TokenTypes[string]>> = { other: 0, comment: 1, string: 2 };

/**
 * Colours that nobody uses. If a theme does not define the colour of plain text, no rule's colour is mistaken for it.
 */
const unknown = { foreground: "#01020304", background: "#01020305" };

export function createTokenizer({ textmate, onigLib, read }: TokenizerDeps, table: GrammarTable): Tokenizer {
  const registry = new textmate.Registry({
    onigLib,
    getInjections: (scope) => [...table.injectionsInto(scope)],
    async loadGrammar(scope) {
      const path = table.grammarOf(scope)?.path;
      // Skip missing or broken grammars; grammars that include them work without.
      const text = path === undefined ? undefined : await read(path).catch(() => undefined);
      return text === undefined || path === undefined ? null : parseGrammar(text, path);
    },
  });
  const numbers = new Map<string, number>();
  const pairs = new Map<number, BracketPairs | undefined>();
  const loaded = new Map<string, Promise<LineTokenizer | undefined>>();
  let brackets: BracketSettings = { enabled: false, eachKindAlone: false };

  return {
    setTheme({ foreground, rules }, settings) {
      brackets = settings;
      const base = { settings: { ...unknown, foreground: colourOf(foreground) ?? unknown.foreground } };
      registry.setTheme({
        settings: [base, ...rules.map(({ scope, settings: own }) => ({ scope, settings: own }))],
      });
      return registry.getColorMap();
    },
    forLanguage(language) {
      const known = loaded.get(language);
      if (known !== undefined) return known;
      // vscode-textmate throws if it finds no grammar or an invalid one.
      const loading = load(language).catch(() => undefined);
      loaded.set(language, loading);
      return loading;
    },
  };

  function parseGrammar(text: string, path: string): Textmate.IRawGrammar | null {
    try {
      return textmate.parseRawGrammar(text, path);
    } catch {
      return null;
    }
  }

  async function load(language: string): Promise<LineTokenizer | undefined> {
    const scope = table.scopeOf(language);
    const file = scope === undefined ? undefined : table.grammarOf(scope);
    if (scope === undefined || file === undefined) return undefined;
    const embedded = table.embeddedIn(scope);
    const grammar = await registry.loadGrammarWithConfiguration(scope, numberOf(language), {
      embeddedLanguages: Object.fromEntries(
        Object.entries(embedded).map(([name, id]) => [name, numberOf(id)]),
      ),
      tokenTypes: Object.fromEntries(
        Object.entries(file.tokenTypes).map(([name, type]) => [name, standardTypes[type] ?? 0]),
      ),
      balancedBracketSelectors: [...file.balanced],
      unbalancedBracketSelectors: [...file.unbalanced],
    });
    if (grammar === null) return undefined;
    for (const id of new Set([language, ...Object.values(embedded)])) await learnBrackets(id);
    return lineTokenizer(grammar);
  }

  function numberOf(language: string): number {
    const known = numbers.get(language);
    if (known !== undefined) return known;
    const next = Math.min(numbers.size + 1, mostLanguages);
    numbers.set(language, next);
    return next;
  }

  async function learnBrackets(language: string): Promise<void> {
    const number = numberOf(language);
    if (pairs.has(number)) return;
    const files = table.configurationsOf(language);
    const all = await Promise.all(
      files.map((path) =>
        read(path)
          .then(parseLoosely)
          .catch(() => undefined),
      ),
    );
    pairs.set(number, bracketPairsOf(all));
  }

  function lineTokenizer(grammar: Textmate.IGrammar): LineTokenizer {
    let met = 0;
    return {
      start: { stack: textmate.INITIAL, open: undefined },
      next(line, before) {
        if (line.length >= longestLine) return { runs: [], after: before };
        const { tokens, ruleStack } = grammar.tokenizeLine2(
          line,
          before.stack,
          met < firstLines ? longestFirstTime : longestTime,
        );
        met += 1;
        const { runs, open } = runsOf(line, tokens, before.open);
        return { runs, after: { stack: ruleStack, open } };
      },
    };
  }

  function runsOf(line: string, tokens: Uint32Array, before: OpenBracket | undefined) {
    const runs: number[] = [];
    let open = before;
    let at = 0;
    for (let index = 1; index < tokens.length; index += 2) {
      const metadata = tokens[index] ?? 0;
      const end = Math.min(tokens[index + 1] ?? line.length, line.length);
      // VS Code's bracket matching treats adjacent tokens with the same metadata as one token.
      if (tokens[index + 2] === metadata) continue;
      if (isOutsideOfWords(metadata)) addWithBrackets(end, metadata);
      add(end, styleOf(metadata));
    }
    return { runs: withoutPlainEnd(runs), open };

    function addWithBrackets(end: number, metadata: number): void {
      const language = metadata & 0xff;
      const known = brackets.enabled ? pairs.get(language) : undefined;
      if (known === undefined) return;
      const from = at;
      for (const { 0: text, index } of line.slice(from, end).matchAll(known.pattern)) {
        const found = trackBracket(text, known, language, open, brackets.eachKindAlone);
        if (found === undefined) continue;
        open = found.open;
        if (found.level === undefined) continue;
        add(from + index, styleOf(metadata));
        add(from + index + text.length, bracketStyle(found.level, metadata));
      }
    }

    function add(end: number, style: number): void {
      if (end <= at) return;
      const last = runs.length - 1;
      // Blanks look the same in all colours, so they join the run before them.
      const isSame =
        runs[last] === style || (last > 0 && isBlank(line, at, end) && !isLined(style, runs[last] ?? 0));
      if (isSame) runs[last - 1] = (runs[last - 1] ?? 0) + end - at;
      else runs.push(end - at, style);
      at = end;
    }
  }
}

/** Neither a comment nor a string, and the grammar allows bracket matching. */
const isOutsideOfWords = (metadata: number): boolean => (metadata & 0x700) === 0x400;

const isBlank = (line: string, from: number, to: number): boolean => line.slice(from, to).trim() === "";

/** One of the styles has an underline or strikethrough. */
const isLined = (...styles: readonly number[]): boolean => styles.some((style) => (style & 0b1100) !== 0);

/** Text after the last run is plain anyway. */
function withoutPlainEnd(runs: number[]): number[] {
  return runs.at(-1) === 0 ? runs.slice(0, -2) : runs;
}
