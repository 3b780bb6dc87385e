// What runs inside the static page: the renderer with nobody listening (render, stream), or with every listener and
// button there is (renderFull), and what was asked of the listeners.
import {
  createMarkdownView,
  type MarkdownOptions,
  type MarkdownView,
} from "../../../src/page/markdown/markdown-view.ts";
import { drawSelected } from "../../../src/page/view/transcript/selected-text.ts";
import { violationsIn } from "./audit.ts";
import { canonicalOf, canonicalOfHtml } from "./canonical.ts";
import { sampleLabels } from "./labels.ts";

const quiet: MarkdownOptions = {
  labels: sampleLabels,
  math: true,
  onLink: (href) => asked.push(["link", href]),
};
const full: MarkdownOptions = {
  ...quiet,
  onFile: (path, line) => asked.push(["file", path, line]),
  onCode: (action, code, language) => asked.push(["code", action, code, language]),
  codeActions: [
    { id: "copy", label: "Copy", icon: "copy" },
    { id: "insert", label: "Insert at cursor", icon: "insert" },
    { id: "new-file", label: "Open as new file", icon: "new-file" },
    { id: "apply", label: "Propose as edit", icon: "edit" },
    { id: "terminal", label: "Paste to terminal", icon: "terminal" },
  ],
};

const asked: unknown[][] = [];
const main = document.querySelector("main") ?? document.body;
let shown: MarkdownView | undefined;

function show(options: MarkdownOptions): MarkdownView {
  shown?.dispose();
  shown = createMarkdownView(options);
  main.replaceChildren(shown.root);
  return shown;
}

async function render(markdown: string, options: Partial<MarkdownOptions> = {}): Promise<void> {
  const view = show({ ...quiet, ...options });
  view.append(markdown);
  view.end();
  await view.settled();
}

async function stream(markdown: string, step = 1, options: Partial<MarkdownOptions> = {}): Promise<void> {
  const view = show({ ...quiet, ...options });
  const size = Math.max(1, Math.floor(step) || 1);
  let until = performance.now() + frame;
  for (let at = 0; at < markdown.length; at += size) {
    view.append(markdown.slice(at, at + size));
    if (performance.now() < until) continue;
    await nextTask();
    until = performance.now() + frame;
  }
  view.end();
  await view.settled();
}

/** Milliseconds: a stream leaves the page its turn about as often as this, as a real one does. */
const frame = 8;
const nextTask = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });

/** Puts all of the text into the document. */
function drawWhole(): void {
  document.getSelection()?.selectAllChildren(main);
  drawSelected(main);
}

const renderer = {
  asked,
  render,
  stream,
  renderFull: (markdown: string) => render(markdown, full),
  open: (options: Partial<MarkdownOptions> = {}) => show({ ...quiet, ...options }),
  full,
  drawWhole,
  canonicalOf,
  canonicalOfHtml,
  violationsIn,
};

declare global {
  interface Window {
    readonly render: typeof render;
    readonly stream: typeof stream;
    readonly renderer: typeof renderer;
  }
}

Object.assign(window, { render, stream, renderer });
