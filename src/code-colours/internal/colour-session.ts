// The state of the colouring thread: a tokenizer and, for each block that is still being written, the state at the
// beginning of each of its lines. Answers messages in order. Knows no thread; it only takes tasks and posts answers.
import { type Contribution, createGrammarTable, type GrammarTable } from "./grammar-table.ts";
import { customRules, readTheme } from "./theme-rules.ts";
import {
  type BracketSettings,
  createTokenizer,
  type LineState,
  type LineTokenizer,
  type Tokenizer,
  type TokenizerDeps,
} from "./tokenizer.ts";

export interface ThemeTask {
  readonly type: "theme";
  /** The number of the colour table that this creates. Lines requested with another number are ignored. */
  readonly table: number;
  readonly file: string;
  readonly name: string;
  readonly customizations: unknown;
  readonly brackets: BracketSettings;
}

interface LinesTask {
  readonly type: "lines";
  readonly table: number;
  /** Unique among all blocks. */
  readonly block: string;
  /** The word after the fence. */
  readonly language: string;
  /** Index of the first of these lines. Earlier lines are known; later ones are discarded. */
  readonly from: number;
  readonly lines: readonly string[];
  /** These are the last lines of the block. */
  readonly isEnd: boolean;
}

export type ColourTask =
  | { readonly type: "grammars"; readonly contributions: readonly Contribution[] }
  | ThemeTask
  | LinesTask;

export type ColourAnswer =
  | { readonly type: "table"; readonly table: number; readonly colours: readonly string[] }
  /** The theme cannot be read. */
  | { readonly type: "no-table"; readonly table: number; readonly why: string }
  | { readonly type: "lines"; readonly block: string; readonly from: number; readonly runs: number[][] }
  /** The block cannot be coloured: there is no grammar for it, or its earlier lines are no longer known. */
  | { readonly type: "none"; readonly block: string; readonly why: "no-grammar" | "lost" };

interface ColourSession {
  take(task: ColourTask): Promise<void>;
}

interface OpenBlock {
  readonly lines: LineTokenizer;
  /** The state at the beginning of each line, and after the last one. */
  readonly states: LineState[];
  /** In milliseconds. */
  spent: number;
}

/** Limit for blocks that are still being written. More at a time exist only if something goes wrong. */
const mostBlocks = 64;
/** Wall-clock milliseconds per block, enough for a busy machine. The rest of the block stays plain. */
const longestWork = 10_000;

export function createColourSession(
  deps: TokenizerDeps,
  post: (answer: ColourAnswer) => void,
  now: () => number = () => performance.now(),
): ColourSession {
  const blocks = new Map<string, OpenBlock>();
  let table: GrammarTable = createGrammarTable([]);
  let tokenizer: Tokenizer = createTokenizer(deps, table);
  let current = 0;
  let before: Promise<void> = Promise.resolve();

  return {
    take(task) {
      // The engine may throw on some grammars.
      before = before.then(() => carryOut(task)).catch(() => giveUp(task));
      return before;
    },
  };

  function giveUp(task: ColourTask): void {
    if (task.type === "lines") post({ type: "none", block: task.block, why: "no-grammar" });
  }

  async function carryOut(task: ColourTask): Promise<void> {
    if (task.type === "lines") return colourLines(task);
    // The states of lines depend on the old grammars or contain colours of the old theme.
    blocks.clear();
    if (task.type === "theme") return showTheme(task);
    table = createGrammarTable(task.contributions);
    tokenizer = createTokenizer(deps, table);
  }

  async function showTheme({
    table: number,
    file,
    name,
    customizations,
    brackets,
  }: ThemeTask): Promise<void> {
    current = number;
    try {
      const parsePlist = (text: string): unknown => deps.textmate.parseRawGrammar(text, "theme.tmTheme");
      const { foreground, rules } = await readTheme(file, { read: deps.read, parsePlist });
      const all = [...rules, ...customRules(customizations, name)];
      post({
        type: "table",
        table: number,
        colours: tokenizer.setTheme({ foreground, rules: all }, brackets),
      });
    } catch (error) {
      post({ type: "no-table", table: number, why: error instanceof Error ? error.message : String(error) });
    }
  }

  async function colourLines({
    table: asked,
    block,
    language,
    from,
    lines,
    isEnd,
  }: LinesTask): Promise<void> {
    if (asked !== current) return;
    const found = from === 0 ? await open(language) : blocks.get(block);
    if (found === undefined || from >= found.states.length) {
      blocks.delete(block);
      post({ type: "none", block, why: from === 0 ? "no-grammar" : "lost" });
      return;
    }
    const runs = continueWith(found, from, lines);
    blocks.delete(block);
    if (!isEnd) blocks.set(block, found);
    const [oldest] = blocks.keys();
    if (blocks.size > mostBlocks && oldest !== undefined) blocks.delete(oldest);
    post({ type: "lines", block, from, runs });
  }

  async function open(language: string): Promise<OpenBlock | undefined> {
    const id = table.languageOf(language);
    const lines = id === undefined ? undefined : await tokenizer.forLanguage(id);
    return lines === undefined ? undefined : { lines, states: [lines.start], spent: 0 };
  }

  function continueWith(block: OpenBlock, from: number, lines: readonly string[]): number[][] {
    const { states } = block;
    states.length = from + 1;
    return lines.map((line) => {
      const state = states.at(-1) ?? block.lines.start;
      if (block.spent > longestWork) {
        states.push(state);
        return [];
      }
      const started = now();
      const { runs, after } = block.lines.next(line, state);
      block.spent += now() - started;
      states.push(after);
      return runs;
    });
  }
}
