// A text in Markdown that may still be arriving, as DOM nodes: the one thing the rest of the page uses of this folder.
// Short deltas are drawn at once; a long text is drawn in slices, a few in each frame, so that the page answers.
import { h } from "../dom.ts";
import type { IconName } from "../icons.ts";
import { type BlockStream, createBlockStream } from "./block-stream.ts";
import { blockView } from "./block-view.ts";
import type { Block } from "./blocks.ts";
import { createDeferredWork } from "./deferred-work.ts";
import { blockGroups } from "./groups.ts";
import { isolation } from "./isolation.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import { createParser } from "./parser.ts";
import { type Room, reconcile } from "./reconcile.ts";
import { createReferences } from "./references.ts";
import { maxStretch, slices } from "./slices.ts";

/** A button on every code block. The page knows its look, the owner what it does. */
export interface CodeAction {
  readonly id: string;
  readonly label: string;
  readonly icon: IconName;
}

export interface MarkdownLabels {
  readonly plainText: string;
  readonly wrap: string;
  readonly fold: string;
  /** The name of a block's row of buttons. */
  readonly codeActions: string;
  readonly table: string;
  /** Below a table that is too large to be drawn whole. */
  readonly moreTable: string;
  readonly done: string;
  readonly notDone: string;
  readonly hidden: string;
  /** The name of a block of code: no word of the text, only a language that is known. */
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
  readonly direction?: "auto" | "ltr" | "rtl";
  readonly math?: boolean;
}

export interface MarkdownView {
  readonly root: HTMLElement;
  append(delta: string): void;
  /** The whole text; what it has in common with what is shown is not drawn again. */
  replace(text: string): void;
  /** No text comes after this. */
  end(): void;
  /** Everything that was given is drawn, colours and formulas included. */
  settled(): Promise<void>;
  dispose(): void;
}

const plainParser = createParser({ math: false });
const mathParser = createParser({ math: true });
/** What is slow to draw is not drawn again for fewer characters, unless it has rested. */
const enough = 512;

type Pause = "none" | "between slices" | "rest";

export function createMarkdownView(options: MarkdownOptions): MarkdownView {
  const { direction = "auto" } = options;
  const root = h("div", { class: "md", ...(direction === "auto" ? {} : { dir: direction }) });
  const groups = blockGroups(root);
  const around = (): MarkdownContext => markdownContext(options, root);
  let text = newText();
  let received = "";
  let waiting = "";
  let ended = false;
  /** All of it is drawn. */
  let finished = false;
  let pause: Pause = "none";
  /** When the next drawing may begin. */
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
        groups.clear();
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
    settled: () => text.around.work.settled(),
    dispose() {
      text.around.work.dispose();
      waiting = "";
    },
  };

  function newText() {
    const context = around();
    const room: Room<Block> = {
      views: [],
      create: (block, open) => blockView(block, open, context),
      append: (block) => groups.place(block, fresh.settled + room.views.length),
    };
    const stream: BlockStream = createBlockStream(context.parser);
    const fresh = { around: context, room, stream, slices: slices(), settled: 0 };
    return fresh;
  }

  /** Draws what waits, or as much of it as may be drawn now; the rest comes in the next task. */
  function draw(): void {
    if (finished || pause === "between slices" || (waiting === "" && !ended)) return;
    const now = performance.now();
    if (now < rested && waiting.length < enough) {
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
    // So that drawing takes no more than about half of the time, however small the pieces in which text arrives.
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
    // Without a frame in between, the browser would lay out many slices in one go.
    if (why === "rest") work.soon(goOn, delay);
    else work.afterFrame(goOn);
  }

  function drawReading(): void {
    const { blocks, settled, defined, provisional } = text.stream.read();
    text.around.references.update(defined, provisional);
    reconcile(text.room, blocks, !finished);
    groups.trim(text.settled + text.room.views.length);
    text.room.views.splice(0, settled);
    text.settled += settled;
    groups.settle(text.settled, finished);
  }
}

function markdownContext(options: MarkdownOptions, root: HTMLElement): MarkdownContext {
  const autoDirection = (options.direction ?? "auto") === "auto";
  return {
    parser: options.math === true ? mathParser : plainParser,
    references: createReferences(),
    work: createDeferredWork(),
    labels: options.labels,
    autoDirection,
    isolation: isolation(root, !autoDirection),
    opensFiles: options.onFile !== undefined,
    codeActions: options.onCode === undefined ? [] : (options.codeActions ?? []),
    act: (action, code, language) => options.onCode?.(action, code, language),
  };
}

/** One listener for all that can be opened. */
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
    // A link without an href has no Enter of its own; a button has.
    if (event.key === "Enter" && event.target instanceof HTMLAnchorElement) open(event);
  });
}
