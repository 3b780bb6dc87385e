// What runs inside the static page: the renderer with nobody listening (render, stream), or with every listener and
// button there is (renderFull), and what was asked of the listeners.
import {
  createMarkdownView,
  type MarkdownOptions,
  type MarkdownView,
} from "../../../src/webview/markdown/markdown-view.ts";
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

async function stream(markdown: string, step: number, options: Partial<MarkdownOptions> = {}): Promise<void> {
  const view = show({ ...quiet, ...options });
  for (let at = 0; at < markdown.length; at += step) view.append(markdown.slice(at, at + step));
  view.end();
  await view.settled();
}

const renderer = {
  asked,
  render,
  stream,
  renderFull: (markdown: string) => render(markdown, full),
  open: (options: Partial<MarkdownOptions> = {}) => show({ ...quiet, ...options }),
  full,
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
