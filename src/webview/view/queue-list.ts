// What was asked while an answer was being written: it waits here, in order, and can be taken back.
import type { QueuedPrompt } from "../../core/conversation/page-list-schemas.ts";
import { button, h, iconButton } from "../dom.ts";
import { fill, words } from "../words.ts";

export interface QueueList {
  readonly root: HTMLElement;
  /** `stands`: no turn runs, so nothing will take it from here by itself. */
  update(queue: readonly QueuedPrompt[], stands: boolean): void;
}

export interface QueueActions {
  remove(id: string): void;
  sendNow(): void;
  focusBack(): void;
}

export function queueList({ remove, sendNow, focusBack }: QueueActions): QueueList {
  const list = h("ol", { class: "queue-items" });
  const resume = button(words.sendNow, "secondary", sendNow);
  const root = h("section", { class: "queue", "aria-label": words.queue }, list, resume);
  let shown = "";
  return {
    root,
    update(queue, stands) {
      root.hidden = queue.length === 0;
      resume.hidden = !stands;
      const text = JSON.stringify(queue);
      if (text === shown) return;
      shown = text;
      const hadFocus = root.contains(document.activeElement);
      list.replaceChildren(...queue.map(row));
      if (hadFocus) (list.querySelector("button") ?? { focus: focusBack }).focus();
    },
  };

  function row({ id, prompt }: QueuedPrompt, index: number): HTMLElement {
    const label = fill(words.takeBack, { prompt: prompt.slice(0, 60) });
    return h(
      "li",
      {},
      h("span", { class: "quiet" }, index === 0 ? words.next : words.later),
      h("span", { class: "name", dir: "auto" }, prompt),
      iconButton(label, "close", () => remove(id)),
    );
  }
}
