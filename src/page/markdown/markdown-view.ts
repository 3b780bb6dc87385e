// A Markdown text, which may still be arriving, as DOM nodes; the main entry point of this folder. Short deltas are
// drawn immediately; a long text is drawn in slices, a few in each frame, so that the page stays responsive. Of a long
// text only what is near the reader is in the document (node-window.ts).
import { h } from "../elements/dom.ts";
import type { IconName } from "../elements/icons.ts";
import { blockView } from "./block-view.ts";
import type { EditorColours } from "./code/editor-colours.ts";
import { createDeferredWork } from "./deferred-work.ts";
import type { AskForDiagram } from "./diagrams/diagram-blocks.ts";
import { isolation } from "./direction.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import { emptyNote, type NodeWindows, nodeWindows } from "./node-window.ts";
import { type BlockStream, createBlockStream } from "./parse/block-stream.ts";
import { createReferences } from "./parse/link-definitions.ts";
import { createParser } from "./parse/parser.ts";
import type { Block } from "./parse/read-blocks.ts";
import { type Room, reconcile } from "./reconcile.ts";
import { maxStretch, slices } from "./slices.ts";

/** A button on every code block. The page defines how it looks, the owner what it does. */
export interface CodeAction {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
}

export interface MarkdownLabels {
  readonly plainText: string;
  readonly wrap: string;
  readonly fold: string;
  /** The label of the toolbar of a code block. */
  readonly codeActions: string;
  readonly table: string;
  /** Shown below a table that is too large to be drawn completely. */
  readonly moreTable: string;
  readonly done: string;
  readonly notDone: string;
  readonly hidden: string;
  /** What a screen reader hears in place of text that is not drawn yet, which begins with these words. */
  away(words: string): string;
  /** The label of a code block. It contains no words of the text, only a known language. */
  codeName(language: string | undefined, lines: number | undefined): string;
  notOpened(address: string): string;
  openFile(path: string, line: number | undefined): string;
}

export interface MarkdownOptions {
  readonly labels: MarkdownLabels;
  onLink(href: string): void;
  onFile?(path: string, line?: number): void;
  readonly codeActions?: readonly CodeAction[];
  onCode?(action: string, code: string, language: string): void;
  readonly editorColours?: EditorColours;
  readonly direction?: "auto" | "ltr" | "rtl";
  readonly math?: boolean;
  /** Asks the host for the picture of a diagram; without it, diagrams are shown as code. */
  readonly askForDiagram?: AskForDiagram | undefined;
}

export interface MarkdownView {
  readonly root: HTMLElement;
  append(delta: string): void;
  /** Shows `text`; a beginning that is already drawn is not drawn again. */
  replace(text: string): void;
  /** No more text follows. */
  end(): void;
  /** The scroll position or sizes have changed: only what is near the reader stays in the document. */
  refresh(scroller: Element): void;
  /** Resolves when the text received so far is drawn, including colours and formulas. */
  settled(): Promise<void>;
  dispose(): void;
}

const plainParser = createParser({ math: false });
const mathParser = createParser({ math: true });
/** While drawing is slow, it pauses until at least this many characters are pending or the pause is over. */
const enoughWaiting = 512;

type Pause = "none" | "between slices" | "rest";

export function createMarkdownView(options: MarkdownOptions): MarkdownView {
  const { direction = "auto" } = options;
  const root = h("div", { class: "md", ...(direction === "auto" ? {} : { dir: direction }) });
  const windows = nodeWindows(root, options.labels.away);
  const around = (): MarkdownContext => markdownContext(options, root, windows);
  let text = newText();
  let received = "";
  let waiting = "";
  let ended = false;
  /** The whole text is drawn. */
  let finished = false;
  let pause: Pause = "none";
  /** The earliest time at which the next drawing may begin. */
  let rested = 0;
  listen(root, options);

  return {
    root,
    append(delta) {
      if (ended) throw new Error("A text that has ended cannot grow.");
      received += delta;
      waiting += delta;
      draw();
    },
    replace(next) {
      if (next === received) return;
      if (!ended && next.startsWith(received)) waiting += next.slice(received.length);
      else {
        text.around.work.dispose();
        root.replaceChildren();
        text = newText();
        waiting = next;
        ended = false;
        finished = false;
        pause = "none";
        rested = 0;
      }
      received = next;
      draw();
    },
    end() {
      if (ended) return;
      ended = true;
      draw();
    },
    refresh: windows.refresh,
    settled: () => text.around.work.settled(),
    dispose() {
      text.around.work.dispose();
      waiting = "";
    },
  };

  function newText() {
    windows.clear();
    windows.watch(root, { standIn: () => emptyNote("div") });
    const context = around();
    const room: Room<Block> = {
      views: [],
      create: (block, open) => blockView(block, open, context),
      append: (block) => root.append(block),
    };
    const stream: BlockStream = createBlockStream(context.parser);
    return { around: context, room, stream, slices: slices() };
  }

  /** Draws the pending text, or as much as the time allows; the rest follows in the next task. */
  function draw(): void {
    if (finished || pause === "between slices" || (waiting === "" && !ended)) return;
    const now = performance.now();
    if (now < rested && waiting.length < enoughWaiting) {
      if (pause === "none") goOnLater("rest", rested - now);
      return;
    }
    const until = now + maxStretch;
    let cost = 0;
    do {
      const started = performance.now();
      const part = waiting.slice(0, text.slices.size);
      waiting = waiting.slice(part.length);
      text.around.isolation.read(part);
      text.stream.append(part);
      finished = ended && waiting === "";
      if (finished) text.stream.end();
      drawReading();
      cost = performance.now() - started;
      text.slices.spent(cost);
    } while (waiting !== "" && performance.now() < until);
    // Limits drawing to about half of the time, however small the pieces in which text arrives.
    rested = performance.now() + (cost > maxStretch ? cost : 0);
    if (waiting !== "") goOnLater("between slices");
  }

  function goOnLater(why: Exclude<Pause, "none">, delay = 0): void {
    const { work } = text.around;
    pause = why;
    const goOn = () => {
      pause = "none";
      draw();
    };
    // Without a frame in between, the browser would lay out many slices at once.
    if (why === "rest") work.soon(goOn, delay);
    else work.afterFrame(goOn);
  }

  function drawReading(): void {
    const { blocks, settled, defined, provisional } = text.stream.read();
    text.around.references.update(defined, provisional);
    reconcile(text.room, blocks, !finished);
    text.room.views.splice(0, settled);
  }
}

function markdownContext(options: MarkdownOptions, root: HTMLElement, windows: NodeWindows): MarkdownContext {
  const autoDirection = (options.direction ?? "auto") === "auto";
  return {
    parser: options.math === true ? mathParser : plainParser,
    references: createReferences(),
    work: createDeferredWork(),
    editorColours: options.editorColours,
    labels: options.labels,
    autoDirection,
    isolation: isolation(root, !autoDirection, windows.drawAll),
    windows,
    opensFiles: options.onFile !== undefined,
    codeActions: options.onCode === undefined ? [] : (options.codeActions ?? []),
    askForDiagram: options.askForDiagram,
    act: (action, code, language) => options.onCode?.(action, code, language),
  };
}

/** One listener for links and file references. */
function listen(root: HTMLElement, options: MarkdownOptions): void {
  const open = (event: Event) => {
    const target = event.target instanceof Element ? event.target.closest("[data-href], [data-path]") : null;
    if (!(target instanceof HTMLElement)) return;
    const { href, path, line } = target.dataset;
    event.preventDefault();
    if (href !== undefined) options.onLink(href);
    else if (path !== undefined && line === undefined) options.onFile?.(path);
    else if (path !== undefined) options.onFile?.(path, Number(line));
  };
  root.addEventListener("click", open);
  root.addEventListener("keydown", (event) => {
    // The browser ignores Enter on a link without an href; for a button it fires a click.
    if (event.key === "Enter" && event.target instanceof HTMLAnchorElement) open(event);
  });
}
