// Tracks the focus inside the page. It is reported to the host, since the editor's keys and menus depend on it, and it
// is restored when the focused control disappears, so that keyboard users never lose their place.
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
  // While it moves from one element to the next, nothing has the focus. With the keyboard, a microtask already runs in
  // between, so a timeout is needed.
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
 * Calls `elsewhere` when the page receives keyboard focus while nothing in it is focused. Returns a function to call
 * after drawing: if the focused control is gone, it focuses its turn, or else calls `elsewhere`.
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
    // Leaving a control that still exists is deliberate. For a control that is being removed, this event comes before
    // it is gone.
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
