// Loads a further script of the extension from beside the page's own, under the page's own nonce. What such a script
// brings, it leaves in one global.
import type { LanguageFn } from "highlight.js";
import type { ColouredCode } from "./colours.ts";

export interface Highlighter {
  knows(language: string): boolean;
  learn(languages: Readonly<Record<string, LanguageFn>>): void;
  /** Of whole lines; undefined where it gave up. */
  colour(code: string, language: string): ColouredCode | undefined;
}

declare global {
  /** Set by math-script.ts: draws the formula into `root`; what is no formula leaves it as it is. */
  var patchbayMath: ((root: HTMLElement, tex: string, display: boolean) => void) | undefined;
  /** Set by highlight-script.ts. */
  var patchbayHighlighter: Highlighter | undefined;
  /** Set by languages-script.ts. */
  var patchbayLanguages: Readonly<Record<string, LanguageFn>> | undefined;
}

const own = document.currentScript instanceof HTMLScriptElement ? document.currentScript : undefined;
const loading = new Map<string, Promise<void>>();

export function loadScript(name: "math" | "highlight" | "languages"): Promise<void> {
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
      // Whoever needs it next tries again.
      loading.delete(name);
      script.remove();
      reject(new Error(`${name}.js could not be loaded.`));
    });
    document.head.append(script);
  });
  loading.set(name, loaded);
  return loaded;
}
