// Where the focus is inside the page, told to the host: keys and menus of the editor depend on it.
import type { PageFocus } from "../bridge/protocol.ts";

export function watchFocus(root: HTMLElement, tell: (focus: PageFocus) => void): void {
  let told = "";
  const look = () => {
    const focus = focusNow();
    const text = JSON.stringify(focus);
    if (text === told) return;
    told = text;
    tell(focus);
  };
  root.addEventListener("focusin", look);
  // The focus is nowhere for a moment while it moves from one element to the next.
  root.addEventListener("focusout", () => queueMicrotask(look));
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
