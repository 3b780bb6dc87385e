// What was asked while an answer was being written: it waits here, in order, and can be taken back.
import type { QueuedPrompt } from "../../core/conversation/page-list-schemas.ts";
import { button, h, iconButton } from "../dom.ts";
import { rows } from "../rows.ts";
import { fill, words } from "../words.ts";

export interface QueueList {
  readonly root: HTMLElement;
  /** `stands`: no turn runs, so nothing will take it from here by itself. */
  update(queue: readonly QueuedPrompt[], stands: boolean): void;
}

export interface QueueActions {
  remove(id: string): void;
  sendNow(): void;
}

export function queueList({ remove, sendNow }: QueueActions): QueueList {
  const list = h("ol", { class: "queue-items" });
  const resume = button(words.sendNow, "secondary", sendNow);
  const root = h("section", { class: "queue", "aria-label": words.queue }, list, resume);
  const draw = rows<QueuedPrompt & { readonly isNext: boolean }>(list, ({ id, prompt, isNext }) => {
    const label = fill(words.takeBack, { prompt: prompt.slice(0, 60) });
    return h(
      "li",
      {},
      h("span", { class: "quiet" }, isNext ? words.next : words.later),
      h("span", { class: "name", dir: "auto" }, prompt),
      iconButton(label, "close", () => remove(id)),
    );
  });
  return {
    root,
    update(queue, stands) {
      root.hidden = queue.length === 0;
      resume.hidden = !stands;
      const hadFocus = list.contains(document.activeElement);
      draw(queue.map((each, index) => ({ ...each, isNext: index === 0 })));
      // Who takes one back goes on with the next.
      if (hadFocus && !list.contains(document.activeElement)) list.querySelector("button")?.focus();
    },
  };
}
