// A code block: its language, buttons, lines and colours. The editor's colours are used, line by line; where it has
// none, the page computes its own in idle time, piece by piece. Coloured lines keep their colours meanwhile.
import { withEscapes } from "../../../util/hidden-characters.ts";
import { toolbar } from "../../elements/controls.ts";
import { h, iconButton } from "../../elements/dom.ts";
import { type IconName, icon } from "../../elements/icons.ts";
import { type DiagramBlock, showDiagram } from "../diagrams/diagram-blocks.ts";
import type { MarkdownContext } from "../markdown-context.ts";
import { emptyNote } from "../node-window.ts";
import type { Block, Code } from "../parse/read-blocks.ts";
import type { View } from "../reconcile.ts";
import { codeLines, colouredLine } from "./code-lines.ts";
import { type ColourPieces, colourPieces } from "./colours.ts";
import type { ShownCode } from "./editor-colours.ts";
import {
  findColouring,
  hasColours,
  knownLanguage,
  languageOf,
  languageTitle,
} from "./highlighter-languages.ts";

/** Shorter blocks cannot be folded. */
const longBlock = 16;
/** Of a longer block, the lines far from the reader are not in the document. */
const manyLines = 384;
const showDone = 1_500;

interface HeadOptions {
  readonly root: HTMLElement;
  readonly language: string;
  readonly around: MarkdownContext;
  code(): string;
}

interface CodeHead {
  readonly root: HTMLElement;
  update(lines: number): void;
  setButtons: DiagramBlock["setButtons"];
}

/**
 * The header of a code block: the language and the action buttons. The buttons are the only controls that a text
 * creates, and only where actions are provided. They form a toolbar with a single tab stop.
 */
function codeHead({ root: block, language, around, code }: HeadOptions): CodeHead {
  const { labels, codeActions } = around;
  const title = withEscapes(languageTitle(language) ?? labels.plainText);
  const root = h("div", { class: "md-code-head" }, h("span", { class: "md-language" }, title));
  if (codeActions.length === 0) return { root, update: () => undefined, setButtons: () => undefined };
  const fold = toggle(block, { label: labels.fold, icon: "fold", className: "md-folded" });
  const wrap = toggle(block, { label: labels.wrap, icon: "wrap", className: "md-wrapped" });
  const actions = codeActions.map((action) => {
    const button = iconButton(action.label, action.icon, () => {
      around.act(action.id, code(), language);
      confirm(button, action.icon);
    });
    button.dataset["action"] = action.id;
    return button;
  });
  let more: readonly HTMLButtonElement[] = [];
  const terminal = actions.find(({ dataset }) => dataset["action"] === "terminal");
  const bar = toolbar(labels.codeActions, "md-code-actions");
  root.append(bar.root);
  let shownFor: string | undefined;
  let isPicture = false;
  let count = 0;

  return {
    root,
    update,
    setButtons(buttons, isShown) {
      more = buttons;
      isPicture = isShown;
      shownFor = undefined;
      update(count);
    },
  };

  function update(lines: number): void {
    count = lines;
    fold.hidden = isPicture || lines <= longBlock;
    wrap.hidden = isPicture;
    // With more than one line, the terminal would have to run the first ones before the rest can be pasted.
    if (terminal !== undefined) terminal.hidden = lines > 1;
    const wanted = `${fold.hidden} ${terminal?.hidden}`;
    if (wanted !== shownFor) bar.show([...more, fold, wrap, ...actions]);
    shownFor = wanted;
  }
}

function toggle(
  block: HTMLElement,
  look: { label: string; icon: IconName; className: string },
): HTMLButtonElement {
  const button = iconButton(look.label, look.icon, () => {
    button.setAttribute("aria-pressed", String(block.classList.toggle(look.className)));
  });
  button.setAttribute("aria-pressed", "false");
  return button;
}

/** Shows a check mark on the button for a moment. */
function confirm(button: HTMLButtonElement, name: IconName): void {
  button.replaceChildren(icon("check"));
  setTimeout(() => button.replaceChildren(icon(name)), showDone);
}

/** Milliseconds of colouring before the page may do other work. */
const maxStretch = 4;

export function codeView(code: Code, around: MarkdownContext): View<Block> {
  const language = languageOf(code.info);
  const body = h("code", {});
  const pre = h("pre", { dir: "ltr", tabindex: "0" }, body);
  const root = h("div", { class: "md-code", role: "group" });
  const lines = codeLines(body);
  const head = codeHead({ root, language, around, code: () => withEscapes(lines.all.join("\n")) });
  root.append(head.root, pre);
  let pieces: ColourPieces | undefined;
  let planned = false;
  let isOpen = true;
  let gone = false;
  let called = "";
  let drawnFor: string | undefined;
  /** The page has to compute the colours itself. */
  let isLeftToPage = around.editorColours === undefined;
  const changedLines = hasColours(language)
    ? around.editorColours?.watch(root, language, shownCode())
    : undefined;

  return {
    root,
    update(next, open) {
      if (next.kind !== "code" || languageOf(next.info) !== language) return false;
      const changed = lines.show(next.from, next.children);
      pieces?.changed(changed);
      head.update(lines.all.length);
      if (lines.all.length > manyLines) around.windows.watch(body, { standIn: () => emptyNote("span") });
      isOpen = open && !next.closed;
      name();
      changedLines?.(changed);
      if (!isOpen && language === "mermaid") drawDiagram();
      if (!isLeftToPage) return true;
      // Until the highlighter is loaded, it is unknown what is worth colouring.
      if (pieces === undefined || pieces.isDue(writtenLines(), !isOpen)) plan();
      return true;
    },
    dispose() {
      gone = true;
    },
  };

  function drawDiagram(): void {
    const { askForDiagram: ask, codeActions, work } = around;
    const source = lines.all.join("\n");
    if (ask === undefined || codeActions.length === 0 || source === drawnFor) return;
    drawnFor = source;
    showDiagram({ root, code: pre, source, ask, setButtons: head.setButtons }, work);
  }

  function shownCode(): ShownCode {
    return {
      lines: lines.all,
      get written() {
        return writtenLines();
      },
      get isComplete() {
        return !isOpen;
      },
      paint(from, runs, classOf) {
        isLeftToPage = false;
        pieces = undefined;
        lines.paint(from, runs.length, (line, index) => [
          ...colouredLine(line, runs[index - from] ?? [], classOf),
          document.createTextNode("\n"),
        ]);
      },
      giveUp() {
        if (isLeftToPage) return;
        isLeftToPage = true;
        planned = false;
        plan();
      },
    };
  }

  /** The number of lines is named only when no more follow. */
  function name(): void {
    const count = isOpen ? undefined : lines.all.length;
    const wanted = around.labels.codeName(knownLanguage(language), count);
    if (wanted === called) return;
    called = wanted;
    root.setAttribute("aria-label", wanted);
  }

  /** The last line of an open block is not complete. */
  function writtenLines(): number {
    return isOpen ? Math.max(0, lines.all.length - 1) : lines.all.length;
  }

  function plan(): void {
    if (planned) return;
    planned = true;
    around.work.after(pieces === undefined ? findPieces() : Promise.resolve(), colourLater);
  }

  async function findPieces(): Promise<void> {
    const colouring = await findColouring(language);
    // Code without a highlighter stays planned, so that it is never tried again.
    if (colouring !== undefined && isLeftToPage) pieces = colourPieces(colouring);
  }

  function colourLater(): void {
    if (pieces === undefined) return;
    around.work.whenIdle(() => {
      planned = false;
      if (!gone) colour();
    });
  }

  function colour(): void {
    const until = performance.now() + maxStretch;
    const written = lines.all.slice(0, writtenLines());
    for (let piece = pieces?.next(written, !isOpen); piece !== undefined; ) {
      lines.colour(piece.from, piece.lines);
      if (performance.now() >= until) break;
      piece = pieces?.next(written, !isOpen);
    }
    if (pieces?.isDue(written.length, !isOpen) === true) plan();
  }
}
