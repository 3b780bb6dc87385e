// The configured parser: CommonMark with GFM tables, strikethrough and autolinks, no raw HTML, and math on request. It
// returns markdown-it's tokens, which read-blocks.ts and inline.ts interpret. markdown-it's two stages run separately:
// blocks for every delta, inline text only where it is drawn.

import type { Env, StateInline, Token } from "markdown-it";
import MarkdownIt from "markdown-it";
import { autolink, memoize } from "./links.ts";
import { mathBlock, mathInline } from "./math-rules.ts";

export interface Target {
  readonly href: string;
  readonly title: string;
}

/** Link reference definitions by normalized label. */
export type Definitions = Readonly<Record<string, Target>>;

interface ParsedSource {
  readonly tokens: readonly Token[];
  readonly definitions: Definitions;
}

export interface Parser {
  readonly math: boolean;
  blocks(source: string): ParsedSource;
  /**
   * Looks up each definition in `definitions` individually, so that a caller can record which labels a text refers to.
   */
  inline(content: string, definitions: Definitions): readonly Token[];
}

/** What the token of a list item records about the list's looseness. */
interface ItemMeta {
  readonly tight: boolean;
  /** Its last line is empty: a following item makes the list loose. */
  readonly endsEmpty: boolean;
}

export function createParser({ math }: { math: boolean }): Parser {
  const markdown = new MarkdownIt({ html: false });
  // Addresses are checked where they are drawn (links.ts), and a rejected link must not fall back to source text.
  markdown.validateLink = () => true;
  // Addresses are not decoded: what is shown is the actual address, "xn--…" included.
  markdown.normalizeLinkText = (url) => url;
  markdown.normalizeLink = memoize(markdown.normalizeLink);
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

/** GitHub strikes through text between two tildes; markdown-it also treats four as two pairs and three as two. */
function tildes(state: StateInline, silent: boolean): boolean {
  const length = /^~+/.exec(state.src.slice(state.pos, state.posMax))?.[0].length ?? 0;
  if (length === 0 || length === 2) return false;
  if (!silent) state.pending += "~".repeat(length);
  state.pos += length;
  return true;
}

/**
 * markdown-it keeps a list's looseness internally and only marks its paragraphs. A list that is settled item by item
 * needs it for each item.
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
