// A Markdown text, which may still be arriving, as DOM nodes; the main entry point of this folder. Short deltas are
// drawn immediately; a long text is drawn in slices, a few in each frame, so that the page stays responsive.
import { h } from "../elements/dom.ts";
import type { IconName } from "../elements/icons.ts";
import { blockView } from "./block-view.ts";
import type { EditorColours } from "./code/editor-colours.ts";
import { createDeferredWork } from "./deferred-work.ts";
import { isolation } from "./direction.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import { type BlockStream, createBlockStream } from "./parse/block-stream.ts";
import { createReferences } from "./parse/link-definitions.ts";
import { createParser } from "./parse/parser.ts";
import type { Block } from "./parse/read-blocks.ts";
import { type Room, reconcile } from "./reconcile.ts";
import { maxStretch, slices } from "./slices.ts";

const size = 32;
/**
 * Fewer groups are not worth it. Only turns near the reader are in the page, and guessing the height of what is out of
 * view costs more than it saves, except in a response as long as a conversation.
 */
const enoughGroups = 4;

export interface Groups {
  /** Puts the block with this index into its group. */
  place(block: ChildNode, index: number): void;
  /** The blocks up to this one are settled. */
  settle(blocks: number, ended: boolean): void;
  /** The blocks from this one on were removed. */
  trim(blocks: number): void;
  clear(): void;
}

/**
 * Puts settled blocks into groups whose layout and paint the browser skips while they are out of view. A group gets
 * this only once it is finished: a remembered size makes the scroll position drift while text still arrives.
 */
function blockGroups(root: HTMLElement): Groups {
  let groups: HTMLElement[] = [];
  let finished = 0;
  return {
    place(block, index) {
      const at = Math.floor(index / size);
      const group = groups[at] ?? h("div", { class: "md-group" });
      if (groups[at] === undefined) {
        groups[at] = group;
        root.append(group);
      }
      group.append(block);
    },
    settle(blocks, ended) {
      if ((ended ? groups.length : Math.ceil(blocks / size)) < enoughGroups) return;
      // A group is finished once a block of the next one is settled: by then it has its final layout.
      const complete = ended ? groups.length : Math.floor(Math.max(0, blocks - 1) / size);
      for (; finished < complete; finished += 1) groups[finished]?.classList.add("md-finished");
    },
    trim(blocks) {
      for (const group of groups.splice(Math.ceil(blocks / size))) group.remove();
    },
    clear() {
      root.replaceChildren();
      groups = [];
      finished = 0;
    },
  };
}

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
}

export interface MarkdownView {
  readonly root: HTMLElement;
  append(delta: string): void;
  /** Shows `text`; a beginning that is already drawn is not drawn again. */
  replace(text: string): void;
  /** No more text follows. */
  end(): void;
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
  const groups = blockGroups(root);
  const around = (): MarkdownContext => markdownContext(options, root);
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
    editorColours: options.editorColours,
    labels: options.labels,
    autoDirection,
    isolation: isolation(root, !autoDirection),
    opensFiles: options.onFile !== undefined,
    codeActions: options.onCode === undefined ? [] : (options.codeActions ?? []),
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
