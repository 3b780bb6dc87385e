// Zooming a picture: by buttons, by keys while it has the focus, by the wheel with Ctrl. Scrolling is the browser's own,
// by arrow keys too; no key is held that leads out of it.

import { diagramSentences } from "../../words/diagram-sentences.ts";
import type { DiagramKit } from "./diagram-blocks.ts";

interface Zoom {
  readonly root: HTMLElement;
  readonly buttons: readonly HTMLButtonElement[];
}

const step = 1.25;
const [smallest, largest] = [0.1, 8];
/** Of its own size: a picture that is fitted into a narrow page can still be read. */
const readable = 0.6;

export function zoomed(
  { h, iconButton, translated }: DiagramKit,
  picture: SVGElement,
  description: string,
): Zoom {
  const [, , width = 1, height = 1] = (picture.getAttribute("viewBox") ?? "").split(" ").map(Number);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", description);
  const keys = {
    tabindex: "0",
    role: "group",
    "aria-label": translated(diagramSentences.keys),
    "aria-keyshortcuts": "Plus - 0",
  };
  const root = h("div", { class: "md-diagram-view", ...keys }, picture);
  refit();
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") by(step);
    else if (event.key === "-") by(1 / step);
    else if (event.key === "0") refit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  root.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      by(event.deltaY < 0 ? step : 1 / step);
    },
    { passive: false },
  );
  return {
    root,
    buttons: [
      iconButton(translated(diagramSentences.zoomOut), "minus", () => by(1 / step)),
      iconButton(translated(diagramSentences.zoomIn), "add", () => by(step)),
      iconButton(translated(diagramSentences.zoomFit), "fit", refit),
    ],
  };

  function by(factor: number): void {
    const now = picture.getBoundingClientRect().width / width;
    const next = Math.min(largest, Math.max(smallest, now * factor));
    // What is in the middle stays there.
    const [x, y] = [root.scrollLeft + root.clientWidth / 2, root.scrollTop + root.clientHeight / 2];
    picture.style.minWidth = "";
    picture.style.width = `${width * next}px`;
    root.scrollLeft = (x * next) / now - root.clientWidth / 2;
    root.scrollTop = (y * next) / now - root.clientHeight / 2;
  }

  function refit(): void {
    const inHeight = `${((80 * width) / Math.max(1, height)).toFixed(2)}vh`;
    picture.style.minWidth = `${Math.round(width * readable)}px`;
    picture.style.width = `min(100%, ${Math.round(width)}px, ${inHeight})`;
  }
}
