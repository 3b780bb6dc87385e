// Where the focus is inside the page: told to the host, since keys and menus of the editor depend on it, and kept, since
// nobody who works by keyboard may find themselves nowhere.
import type { PageFocus } from "../bridge/protocol.ts";

export function watchFocus(root: HTMLElement, tell: (focus: PageFocus) => void): void {
  let reported = "";
  const look = () => {
    const focus = focusNow();
    const text = JSON.stringify(focus);
    if (text === reported) return;
    reported = text;
    tell(focus);
  };
  root.addEventListener("focusin", look);
  // The focus is nowhere for a moment while it moves from one element to the next; by key even a microtask fits in there.
  root.addEventListener("focusout", () => setTimeout(look));
  window.addEventListener("blur", look);
}

function focusNow(): PageFocus {
  const { activeElement } = document;
  if (!document.hasFocus() || activeElement === null) return { area: "elsewhere" };
  if (activeElement.closest(".composer") !== null) return { area: "composer" };
  if (activeElement.closest(".reading") === null) return { area: "elsewhere" };
  const turn = activeElement.closest<HTMLElement>("article")?.dataset["turn"];
  const code = activeElement.closest(".md-code") !== null;
  return { area: "transcript", ...(turn !== undefined && { turn }), ...(code && { code }) };
}

/**
 * Who comes to the page by key, and was nowhere in it, is where `elsewhere` puts them. Answers what to do after drawing:
 * where the control that had the focus is gone, its turn has it, else they are there too.
 */
export function keepFocus(root: HTMLElement, elsewhere: () => void): () => void {
  let held: HTMLElement | undefined;
  let turn: HTMLElement | undefined;
  root.addEventListener("focusin", ({ target }) => {
    held = target instanceof HTMLElement ? target : undefined;
    turn = held?.closest("article") ?? undefined;
  });
  window.addEventListener("focus", () => {
    if (document.activeElement === document.body) elsewhere();
  });
  root.addEventListener("focusout", ({ target }) => {
    // Who leaves what is still there has meant it. What is being removed is told of before it is gone.
    queueMicrotask(() => {
      if (held === target && held?.checkVisibility() === true) held = undefined;
    });
  });
  return () => {
    if (held === undefined || document.activeElement !== document.body || held.checkVisibility()) return;
    held = undefined;
    if (turn?.isConnected === true) turn.focus({ preventScroll: true });
    else elsewhere();
  };
}
