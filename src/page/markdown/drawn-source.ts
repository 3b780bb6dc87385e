// A source that is drawn instead of being shown as it is written: its text until the renderer is loaded.
import { withEscapes } from "../../util/hidden-characters.ts";
import { h } from "../dom.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import { loadScript, type RendererName, renderers } from "./scripts.ts";

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
