// Code colours from the editor. The host is asked for the colours of completed lines in blocks that are visible or
// nearly so. Code is plain until the response arrives; where the host has no colours, the page's own highlighter is
// used.

import type { ToHost, ToPage } from "../../../bridge/protocol.ts";
import {
  bold,
  italic,
  type LineRuns,
  readStyle,
  strikethrough,
  underline,
} from "../../../code-colours/colour-runs.ts";

export interface ColourSheet {
  /** The class of a style; undefined for plain text. */
  classOf(style: number): string | undefined;
  /** Applies its rules, and no others. */
  putOn(): void;
}

const hexadecimal = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/**
 * Manages CSS rules for code colours as in the editor: one class for each style in use, in a constructed style sheet,
 * which the page's policy allows although it forbids inline styles. Only the sheet of the current theme is put on: code
 * that still has the classes of an earlier theme is plain, so that it can be read on any background.
 */
function createColourSheet(name: number, colours: readonly (string | null | undefined)[]): ColourSheet {
  const sheet = new CSSStyleSheet();
  const brackets = colouredBrackets();
  const classes = new Map<number, string | undefined>([[0, undefined]]);
  return {
    classOf(style) {
      if (classes.has(style)) return classes.get(style);
      const declarations = declarationsOf(style);
      const made = declarations === "" ? undefined : `code-${name}-${style}`;
      if (made !== undefined) sheet.insertRule(`.${made} { ${declarations} }`);
      classes.set(style, made);
      return made;
    },
    putOn: () => wear(sheet),
  };

  function declarationsOf(style: number): string {
    const { colour, level, font } = readStyle(style);
    const lines = [font & underline ? "underline" : "", font & strikethrough ? "line-through" : ""];
    const decoration = lines.filter((line) => line !== "").join(" ");
    const wanted: Readonly<Record<string, string | undefined>> = {
      color: level === undefined ? colourAt(colour) : brackets[level % brackets.length],
      "font-style": font & italic ? "italic" : undefined,
      "font-weight": font & bold ? "bold" : undefined,
      "text-decoration": decoration === "" ? undefined : decoration,
    };
    return Object.entries(wanted)
      .flatMap(([property, value]) => (value === undefined ? [] : [`${property}: ${value};`]))
      .join(" ");
  }

  function colourAt(index: number): string | undefined {
    const colour = colours[index];
    return typeof colour === "string" && hexadecimal.test(colour) ? colour : undefined;
  }
}

/** The visible ones of VS Code's six bracket colours; most themes define three. */
function colouredBrackets(): readonly string[] {
  const style = getComputedStyle(document.documentElement);
  return [1, 2, 3, 4, 5, 6]
    .map((number) => `--vscode-editorBracketHighlight-foreground${number}`)
    .filter((name) => isSeen(style.getPropertyValue(name).trim()))
    .map((name) => `var(${name})`);
}

const isSeen = (colour: string): boolean => colour !== "" && !/^#.{6}00$|, ?0\)$|^transparent$/.test(colour);

const shownTheme = (): string => document.body.dataset["vscodeThemeId"] ?? "";

type Post = (message: Extract<ToHost, { type: "show-code" | "colour-code" }>) => void;
type Reply = Extract<ToPage, { type: "code-table" | "code-lines" | "code-none" }>;

/** A code block as its view provides it. */
export interface ShownCode {
  readonly lines: readonly string[];
  /** How many of the lines are final. */
  readonly written: number;
  /** No more lines follow. */
  readonly isComplete: boolean;
  /** Draws the colours of lines, starting with line `from`. */
  paint(from: number, runs: readonly LineRuns[], classOf: ColourSheet["classOf"]): void;
  /** The host has no colours for this code. */
  giveUp(): void;
}

export interface EditorColours {
  /**
   * Colours this code while `root` is visible or nearly so. Returns a function to call with the first line that has
   * changed or was added.
   */
  watch(root: Element, language: string, code: ShownCode): (changed: number) => void;
  take(reply: Reply): void;
}

interface Watched {
  readonly id: number;
  readonly language: string;
  readonly code: ShownCode;
  /** The colour table its colours belong to. */
  table: number;
  /** Number of lines that were requested. */
  asked: number;
  isWaiting: boolean;
  isGivenUp: boolean;
  /** The last line of the block was among those requested. */
  isEnded: boolean;
}

/** Lines per request, so that drawing them does not block the page; a portion begins with an element of `codeLines`. */
const portion = 128;
const alignment = 16;
/** VS Code does not colour longer lines either. */
const longestLine = 20_000;
/** Extends the visible area. */
const margin = "100% 0px";

let worn: CSSStyleSheet | undefined;

/** In the place of the one before; sheets of others stay. */
function wear(sheet: CSSStyleSheet | undefined): void {
  const others = document.adoptedStyleSheets.filter((each) => each !== worn);
  document.adoptedStyleSheets = sheet === undefined ? others : [...others, sheet];
  worn = sheet;
}

export function createEditorColours(post: Post): EditorColours {
  /** The two sides of a diff are watched by the same element. */
  const all = new WeakMap<Element, readonly Watched[]>();
  const inSight = new Set<Watched>();
  const waiting = new Map<number, Watched>();
  /** Blocks that were added before it was known whether there are colours at all. */
  const undecided = new Set<Watched>();
  const changed = new Set<Watched>();
  let state: "unknown" | "own" | "none" = "unknown";
  let table = 0;
  let sheet: ColourSheet | undefined;
  let last = 0;

  const sight = new IntersectionObserver(look, { rootMargin: margin });
  let told = shownTheme();
  new MutationObserver(changeTheme).observe(document.body, { attributeFilter: ["data-vscode-theme-id"] });
  return {
    watch(root, language, code) {
      const watched: Watched = {
        ...{ id: ++last, language, code, table, asked: 0 },
        ...{ isWaiting: false, isGivenUp: false, isEnded: false },
      };
      if (state === "none") giveUp(watched);
      else if (state === "unknown") undecided.add(watched);
      all.set(root, [...(all.get(root) ?? []), watched]);
      sight.observe(root);
      return (line) => {
        if (line < watched.asked) askAgain(watched, line - (line % alignment));
        if (!inSight.has(watched)) return;
        // Changes from one drawing are requested in one message.
        if (changed.size === 0) queueMicrotask(askChanged);
        changed.add(watched);
      };
    },
    take(reply) {
      if (reply.type === "code-table") useTable(reply);
      else {
        const watched = waiting.get(reply.block);
        if (watched === undefined) return;
        waiting.delete(reply.block);
        watched.isWaiting = false;
        if (reply.type === "code-lines") paint(watched, reply);
        else if (reply.isLost) askAgain(watched, 0);
        else giveUp(watched);
        ask(watched);
      }
    },
  };

  function look(entries: readonly IntersectionObserverEntry[]): void {
    const before = inSight.size;
    for (const { target, isIntersecting } of entries)
      for (const watched of all.get(target) ?? [])
        if (isIntersecting) inSight.add(watched);
        else inSight.delete(watched);
    if (before === 0 && inSight.size > 0) show();
    else if (before > 0 && inSight.size === 0) post({ type: "show-code" });
    for (const watched of inSight) ask(watched);
  }

  function show(): void {
    post({ type: "show-code", theme: shownTheme() });
  }

  /** The host replies with a table, also if it is the one that the page has: another page may have been first. */
  function changeTheme(): void {
    if (shownTheme() !== told) wear(undefined);
    told = shownTheme();
    if (inSight.size > 0) show();
  }

  function useTable(reply: Extract<Reply, { type: "code-table" }>): void {
    if (reply.table === table) {
      sheet?.putOn();
      return;
    }
    table = reply.table;
    waiting.clear();
    state = reply.colours === undefined ? "none" : "own";
    sheet = reply.colours === undefined ? undefined : createColourSheet(table, reply.colours);
    if (sheet === undefined) wear(undefined);
    else sheet.putOn();
    if (state === "none") for (const watched of new Set([...undecided, ...inSight])) giveUp(watched);
    undecided.clear();
    for (const watched of inSight) ask(watched);
  }

  function askChanged(): void {
    const now = [...changed];
    changed.clear();
    for (const watched of now) ask(watched);
  }

  function ask(watched: Watched): void {
    if (watched.table !== table)
      Object.assign(watched, { table, asked: 0, isWaiting: false, isGivenUp: false, isEnded: false });
    if (state === "none" && !watched.isGivenUp) giveUp(watched);
    if (sheet === undefined) return;
    const { id, language, code, asked, isWaiting, isGivenUp } = watched;
    if (isWaiting || isGivenUp || !inSight.has(watched)) return;
    const count = Math.min(portion, code.written - asked);
    const isEnd = code.isComplete && asked + count >= code.written;
    if (count <= 0 && (!isEnd || watched.isEnded)) return;
    const lines = code.lines
      .slice(asked, asked + count)
      .map((line) => (line.length < longestLine ? line : ""));
    Object.assign(watched, { asked: asked + count, isWaiting: true, isEnded: isEnd });
    waiting.set(id, watched);
    post({ type: "colour-code", block: id, table, language, from: asked, lines, isEnd });
  }

  function paint(watched: Watched, { from, runs }: Extract<Reply, { type: "code-lines" }>): void {
    if (sheet === undefined) return;
    // Lines that have changed since are requested again.
    const count = Math.min(runs.length, watched.asked - from);
    if (count > 0) watched.code.paint(from, runs.slice(0, count), sheet.classOf);
  }

  function askAgain(watched: Watched, from: number): void {
    Object.assign(watched, { asked: from, isEnded: false });
  }

  function giveUp(watched: Watched): void {
    Object.assign(watched, { table, isGivenUp: true });
    watched.code.giveUp();
  }
}
