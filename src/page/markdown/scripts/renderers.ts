// Scripts that the page loads when something first needs them: `<name>-script.ts` in this folder. The build, the page's
// tests and the loader find them by that name, so a renderer needs its script and its row here. A source that is
// drawn is shown as text until its renderer is loaded.
import type { LanguageFn } from "highlight.js";
import { withEscapes } from "../../../util/hidden-characters.ts";
import { h } from "../../elements/dom.ts";
import type { trialCard } from "../../view/trial/trial-card.ts";
import type { ColouredCode } from "../code/colours.ts";
import type { DiagramKit, DiagramViews } from "../diagrams/diagram-blocks.ts";
import type { MarkdownContext } from "../markdown-context.ts";

export interface Highlighter {
  knows(language: string): boolean;
  learn(languages: Readonly<Record<string, LanguageFn>>): void;
  /** Colours whole lines; returns undefined where the highlighter gave up. */
  colour(code: string, language: string): ColouredCode | undefined;
}

interface Renderer {
  /** A longer source is shown as text. */
  readonly longest: number;
}

/** What is drawn instead of being shown as it is written. */
export const renderers = {
  math: { longest: 5_000 },
} as const satisfies Readonly<Record<string, Renderer>>;

type RendererName = keyof typeof renderers;

/** Draws the source into `root`, or leaves `root` unchanged if the source is not valid. */
type Draw = (root: HTMLElement, source: string, isBlock: boolean) => void;

declare global {
  /** Each is set by its script. */
  var patchbayRenderers: { [Name in RendererName]?: Draw } | undefined;
  /** Set by trial-script.ts. */
  var patchbayTrialCard: typeof trialCard | undefined;
  /** Set by diagram-script.ts. */
  var patchbayDiagramViews: ((kit: DiagramKit) => DiagramViews) | undefined;
  /** Set by highlight-script.ts. */
  var patchbayHighlighter: Highlighter | undefined;
  /** Set by languages-script.ts. */
  var patchbayLanguages: Readonly<Record<string, LanguageFn>> | undefined;
}

const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined;
const loading = new Map<string, Promise<void>>();

/** From the directory of the page's own script, with the same nonce. */
export function loadScript(
  name: RendererName | "diagram" | "highlight" | "languages" | "trial",
): Promise<void> {
  const known = loading.get(name);
  if (known !== undefined) return known;
  const loaded = new Promise<void>((resolve, reject) => {
    if (own === undefined || own.src === "") {
      reject(new Error("The page has no script that another could lie beside."));
      return;
    }
    const script = document.createElement("script");
    script.nonce = own.nonce;
    script.src = new URL(`${name}.js`, own.src).href;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      // The next call tries again.
      loading.delete(name);
      script.remove();
      reject(new Error(`${name}.js could not be loaded.`));
    });
    document.head.append(script);
  });
  loading.set(name, loaded);
  return loaded;
}

/** Shows the source, and what its renderer draws of it as soon as the renderer is loaded. */
export function drawSource(
  name: RendererName,
  root: HTMLElement,
  source: string,
  isBlock: boolean,
  around: MarkdownContext,
): void {
  root.replaceChildren(h("code", {}, withEscapes(source)));
  if (source.length > renderers[name].longest) return;
  const draw = () => {
    const renderer = globalThis.patchbayRenderers?.[name];
    renderer?.(root, source, isBlock);
    return renderer !== undefined;
  };
  if (!draw()) around.work.after(loadScript(name), draw);
}
