// The configured parser: CommonMark with GFM tables, strikethrough and autolinks, no raw HTML, math if asked for. It
// gives markdown-it's tokens and nothing else; what they mean is read in blocks.ts and inline.ts. markdown-it runs its
// two halves here one by one: blocks for every delta, inline text only where it is drawn.
import MarkdownIt, { type Env, type StateInline, type Token } from "markdown-it";
import { autolink } from "./autolink.ts";
import { mathBlock, mathInline } from "./math-rules.ts";
import { remembering } from "./remember.ts";

export interface Target {
  readonly href: string;
  readonly title: string;
}

/** Link reference definitions by normalized label. */
export type Definitions = Readonly<Record<string, Target>>;

export interface ParsedSource {
  readonly tokens: readonly Token[];
  readonly definitions: Definitions;
}

export interface Parser {
  readonly math: boolean;
  blocks(source: string): ParsedSource;
  /** Reads one definition at a time from `definitions`, so that a reader can note which labels a text asks for. */
  inline(content: string, definitions: Definitions): readonly Token[];
}

/** What a list item's token carries for the list's looseness. */
export interface ItemMeta {
  readonly tight: boolean;
  /** Its last line is empty: the next item makes the list loose. */
  readonly endsEmpty: boolean;
}

export function createParser({ math }: { math: boolean }): Parser {
  const markdown = new MarkdownIt({ html: false });
  // Addresses are judged where they are drawn (addresses.ts), and a refused one must not fall back to source text.
  markdown.validateLink = () => true;
  // Not decoded: an address reads as what it is, "xn--…" included.
  markdown.normalizeLinkText = (url) => url;
  markdown.normalizeLink = remembering(markdown.normalizeLink);
  markdown.inline.ruler.at("linkify", autolink);
  markdown.inline.ruler.before("strikethrough", "tildes", tildes);
  noteLooseness(markdown);
  if (math) {
    markdown.inline.ruler.before("escape", "math", mathInline);
    const alt = ["paragraph", "reference", "blockquote", "list"];
    markdown.block.ruler.before("fence", "math", mathBlock, { alt });
  }
  return {
    math,
    blocks(source) {
      const tokens: Token[] = [];
      const env: Env = {};
      markdown.block.parse(source, markdown, env, tokens);
      return { tokens, definitions: env.references ?? {} };
    },
    inline(content, definitions) {
      const tokens: Token[] = [];
      markdown.inline.parse(content, markdown, { references: definitions }, tokens);
      return tokens;
    },
  };
}

/** GitHub strikes through what stands between two tildes; markdown-it takes four for two pairs, and three for two. */
function tildes(state: StateInline, silent: boolean): boolean {
  const length = /^~+/.exec(state.src.slice(state.pos, state.posMax))?.[0].length ?? 0;
  if (length === 0 || length === 2) return false;
  if (!silent) state.pending += "~".repeat(length);
  state.pos += length;
  return true;
}

/**
 * markdown-it keeps for itself what makes a list loose, and marks only the paragraphs. A list that is settled item by
 * item needs it per item.
 */
function noteLooseness(markdown: InstanceType<typeof MarkdownIt>): void {
  const tokenize = markdown.block.tokenize.bind(markdown.block);
  markdown.block.tokenize = (state, startLine, endLine) => {
    const owner = state.tokens.at(-1);
    tokenize(state, startLine, endLine);
    if (owner?.type !== "list_item_open") return;
    const lines = state.line - startLine;
    const meta: ItemMeta = { tight: state.tight, endsEmpty: lines > 1 && state.isEmpty(state.line - 1) };
    owner.meta = { ...meta };
  };
}
