// What the Markdown benchmark runs inside the page: several ways to show a growing text, each fed the same deltas, each
// frame's work measured up to and with its layout. All of them stand in the same element and under the same style sheet:
// what a list's marks or a table's borders cost to lay out, they cost everybody. Ours does more than the others: it
// keeps its place in CommonMark, closes what is half written, finds files, shows hidden characters, finds each block's
// direction. Its colours come in idle time, and are measured where there is some: with real frames.
import MarkdownIt from "markdown-it";
import * as smd from "streaming-markdown";
import * as z from "zod/mini";
import { ToPage } from "../../../src/bridge/protocol.ts";
import { colourPieces } from "../../../src/page/markdown/code/colours.ts";
import { createEditorColours, type EditorColours } from "../../../src/page/markdown/code/editor-colours.ts";
import { createMarkdownView, type MarkdownView } from "../../../src/page/markdown/markdown-view.ts";
import { sampleLabels } from "./labels.ts";

z.config({ jitless: true });

interface Way {
  append(delta: string): void;
  end(): void;
  dispose?(): void;
  /** What the page does in each frame in which sizes or the scroll position have changed. */
  refresh?(scroller: Element): void;
}

const main = document.querySelector("main") ?? document.body;
Object.assign(main.style, { height: "800px", width: "600px", overflowY: "auto", display: "block" });

/** The renderer's own element is one like it. */
function freshRoot(): HTMLElement {
  const root = document.createElement("div");
  root.className = "md";
  main.replaceChildren(root);
  return root;
}

let view: MarkdownView | undefined;

/** A host that has the colours at once: what they cost the page, with the reading of its messages. */
function quickHost(): EditorColours {
  const answer = (reply: unknown) =>
    setTimeout(() => {
      const { data } = ToPage.safeParse(reply);
      if (data?.type === "code-table" || data?.type === "code-lines") colours.take(data);
    });
  const table = { type: "code-table", table: 1, colours: [null, "#111111", "#222222", "#aa0000", "#00aa00"] };
  const colours = createEditorColours((message) => {
    if (message.type === "show-code") answer(table);
    else {
      const { block, from, lines } = message;
      answer({ type: "code-lines", block, from, runs: lines.map(someRuns) });
    }
  });
  return colours;
}

/** As many coloured runs as a line of code has on average, with plain ones between them. */
const someRuns = (line: string): number[] =>
  line.length < 12
    ? [line.length, 3 << 4]
    : [4, 3 << 4, 1, 0, 3, (4 << 4) | 1, 1, 0, line.length - 9, 4 << 4];

const ways: Readonly<Record<string, () => Way>> = {
  patchbay() {
    view = createMarkdownView({ labels: sampleLabels, onLink() {} });
    main.replaceChildren(view.root);
    return view;
  },
  "patchbay, colours of the editor"() {
    view = createMarkdownView({ labels: sampleLabels, onLink() {}, editorColours: quickHost() });
    main.replaceChildren(view.root);
    return view;
  },
  /** Its own renderer: a text node for each piece that arrives. */
  "streaming-markdown"() {
    const parser = smd.parser(smd.default_renderer(freshRoot()));
    return { append: (delta) => smd.parser_write(parser, delta), end: () => smd.parser_end(parser) };
  },
  "plain text": () => plainText((paragraph, _whole, more) => growingText(paragraph).appendData(more)),
  "plain text, set anew": () =>
    plainText((paragraph, whole) => {
      paragraph.textContent = whole;
    }),
  "elements known beforehand": knownElements,
  "markdown-it, everything again"() {
    const root = freshRoot();
    const markdown = new MarkdownIt();
    let source = "";
    return {
      append(delta) {
        source += delta;
        root.innerHTML = markdown.render(source);
      },
      end() {},
    };
  },
};

/**
 * The floor: a paragraph at each empty line, with one text node in it. How that node gets its text decides what the
 * floor costs: one that grows in place is the cheapest there is; to set all of it anew is what most pages do. Either
 * hangs on how long paragraphs are: a block of 50 KB is one node here, and dearer than any Markdown.
 */
function plainText(show: (paragraph: HTMLElement, whole: string, more: string) => void): Way {
  const root = freshRoot();
  root.style.whiteSpace = "pre-wrap";
  let paragraph: HTMLElement | undefined;
  let whole = "";
  return {
    append(delta) {
      for (const [index, more] of delta.split("\n\n").entries()) {
        const before = index === 0 ? paragraph : undefined;
        const open = before ?? document.createElement("p");
        whole = before === undefined ? more : whole + more;
        show(open, whole, more);
        if (before === undefined) root.append(open);
        paragraph = open;
      }
    },
    end() {},
  };
}

/** What a text comes to: elements that begin and end, and texts. */
type Step = Element | Text | "end";
let known: { readonly steps: readonly Step[]; readonly letters: number; readonly source: number } | undefined;

/** Reads a whole text before the clock runs. */
function foresee(text: string): void {
  const template = document.createElement("template");
  template.innerHTML = new MarkdownIt().render(text);
  const steps: Step[] = [];
  const walk = (parent: ParentNode & Node) => {
    for (const node of parent.childNodes) {
      if (node instanceof Text) steps.push(node);
      if (!(node instanceof Element)) continue;
      steps.push(node.cloneNode() as Element);
      walk(node);
      steps.push("end");
    }
  };
  walk(template.content);
  known = { steps, letters: template.content.textContent?.length ?? 0, source: text.length };
}

/**
 * The floor for whoever shows the elements of Markdown: they are known beforehand, nothing is read, and each frame adds
 * its share of the text. No style, colour, direction or link of ours.
 */
function knownElements(): Way {
  const root = freshRoot();
  const { steps, letters, source } = known ?? { steps: [], letters: 0, source: 1 };
  let parent: Element = root;
  let [at, inText, shown, arrived] = [0, 0, 0, 0];
  let open: Text | undefined;
  return {
    append(delta) {
      arrived += delta.length;
      const due = (letters * arrived) / source;
      for (; at < steps.length && shown < due; at += 1) {
        const step = steps[at];
        if (step instanceof Text) {
          const piece = step.data.slice(inText, inText + Math.ceil(due - shown));
          if (open !== undefined) open.appendData(piece);
          else {
            open = document.createTextNode(piece);
            parent.append(open);
          }
          shown += piece.length;
          inText += piece.length;
          if (inText < step.data.length) return;
          [inText, open] = [0, undefined];
        } else if (step instanceof Element) {
          parent.append(step);
          parent = step;
        } else parent = parent.parentElement ?? root;
      }
    },
    end() {},
  };
}

function growingText(paragraph: HTMLElement): Text {
  const { firstChild } = paragraph;
  if (firstChild instanceof Text) return firstChild;
  const text = document.createTextNode("");
  paragraph.append(text);
  return text;
}

/** Every `sample`th frame is measured, all of them are drawn: way too slow for whole runs takes a sample. */
function run(name: string, text: string, options: { step?: number; sample?: number } = {}): number[] {
  const { way, frames } = draw(name, text, options);
  // Or its first colours would come before the clock is read.
  way.dispose?.();
  return frames;
}

/** What a page has done that has shown an answer before: its colours come in the idle time after this. */
function warmUp(name: string, text: string): void {
  draw(name, text);
}

function draw(name: string, text: string, { step = 64, sample = 1 } = {}): { way: Way; frames: number[] } {
  const frames: number[] = [];
  const way = ways[name]?.();
  if (way === undefined) throw new Error(`There is no way called ${name}.`);
  let held = "";
  for (let at = 0, frame = 0; at < text.length; at += step, frame += 1) {
    held += text.slice(at, at + step);
    if (frame % sample !== 0) continue;
    const started = performance.now();
    way.append(held);
    held = "";
    main.scrollTop = main.scrollHeight;
    way.refresh?.(main);
    frames.push(performance.now() - started);
  }
  way.append(held);
  way.end();
  return { way, frames };
}

/** The same with real frames; `longest` counts what was done in idle time too. */
async function runFrames(name: string, text: string, step = 64): Promise<number[]> {
  const frames: number[] = [];
  const idle = window.requestIdleCallback.bind(window);
  window.requestIdleCallback = (job, options) =>
    idle((deadline) => {
      const started = performance.now();
      job(deadline);
      void main.scrollHeight;
      frames.push(performance.now() - started);
    }, options);
  const way = ways[name]?.();
  if (way === undefined) throw new Error(`There is no way called ${name}.`);
  for (let at = 0; at < text.length; at += step) {
    await new Promise(requestAnimationFrame);
    const started = performance.now();
    way.append(text.slice(at, at + step));
    main.scrollTop = main.scrollHeight;
    way.refresh?.(main);
    frames.push(performance.now() - started);
  }
  way.end();
  if (name.startsWith("patchbay")) await view?.settled();
  window.requestIdleCallback = idle;
  return frames;
}

/** One block of code, coloured once and coloured as it grows line by line: milliseconds. */
function colours(code: string): { once: number; growing: number } {
  const colour = (source: string) => globalThis.patchbayHighlighter?.colour(source, "typescript");
  const started = performance.now();
  colour(`${code}\n`);
  const once = performance.now() - started;
  const lines = code.split("\n");
  const pieces = colourPieces(colour);
  const again = performance.now();
  for (let count = 1; count <= lines.length; count += 1)
    pieces.next(lines.slice(0, count), count === lines.length);
  return { once, growing: performance.now() - again };
}

/** Nodes of a text that was streamed and of one that was given whole. */
async function isSame(text: string, step: number): Promise<boolean> {
  const htmlOf = async (size: number) => {
    const way = ways["patchbay"]?.();
    for (let at = 0; at < text.length; at += size) way?.append(text.slice(at, at + size));
    way?.end();
    await view?.settled();
    return main.innerHTML;
  };
  return (await htmlOf(step)) === (await htmlOf(text.length));
}

declare global {
  interface Window {
    readonly bench: typeof bench;
  }
}
const bench = { run, foresee, warmUp, runFrames, colours, isSame };
Object.assign(window, { bench });
