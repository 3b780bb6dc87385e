// What was said while a response is being written and has not reached the model: it waits here in order, with when it
// will, and can be removed.
import type { Delivery, QueuedPrompt } from "../../../conversation/state.ts";
import { button, h, iconButton, setTitle } from "../../elements/dom.ts";
import { rows } from "../../elements/rows.ts";
import { fill, strings } from "../../words/strings.ts";

interface QueueList {
  readonly root: HTMLElement;
  /** `stands`: no turn runs, so nothing will send the queue automatically. */
  update(queue: readonly QueuedPrompt[], stands: boolean): void;
}

interface QueueActions {
  remove(id: string): void;
  deliver(id: string, delivery: Delivery): void;
  sendNow(): void;
}

interface QueueRow extends QueuedPrompt {
  readonly isNext: boolean;
  readonly stands: boolean;
}

const other = { step: "turn", turn: "step" } as const;

export function queueList({ remove, deliver, sendNow }: QueueActions): QueueList {
  const list = h("ol", { class: "queue-items" });
  const resume = button(strings.sendNow, "secondary", sendNow);
  const root = h("section", { class: "queue", "aria-label": strings.queue }, list, resume);
  const draw = rows<QueueRow>(list, (row) => {
    const label = fill(strings.takeBack, { prompt: begin(row) });
    return h(
      "li",
      { "data-id": row.id },
      row.stands ? h("span", { class: "quiet" }, row.isNext ? strings.next : strings.later) : when(row),
      h("span", { class: "name", dir: "auto" }, row.prompt),
      iconButton(label, "close", () => remove(row.id)),
    );
  });

  function when(row: QueueRow): HTMLElement {
    const words = { step: strings.withNextStep, turn: strings.afterResponse };
    const next = other[row.delivery];
    const shown = button(words[row.delivery], "link when", () => deliver(row.id, next));
    const change = fill(strings.deliverInstead, { when: words[next] });
    setTitle(shown, change);
    shown.ariaLabel = `${words[row.delivery]}: ${begin(row)}. ${change}`;
    return shown;
  }

  return {
    root,
    update(queue, stands) {
      root.hidden = queue.length === 0;
      resume.hidden = !stands;
      const focused = list.contains(document.activeElement) ? document.activeElement : null;
      const [row, wasSwitch] = [focused?.closest("li"), focused?.matches(".when") === true];
      draw(queue.map((each, index) => ({ ...each, isNext: index === 0, stands })));
      if (focused === null || list.contains(document.activeElement)) return;
      // After switching a row, the focus stays on its switch; after removing one, it moves to the first one left.
      const same = [...list.querySelectorAll("li")].find(
        ({ dataset }) => dataset["id"] === row?.dataset["id"],
      );
      const place = wasSwitch ? same?.querySelector<HTMLElement>(".when") : undefined;
      (place ?? list.querySelector<HTMLElement>("li > button:last-child"))?.focus();
    },
  };
}

const begin = ({ prompt }: QueuedPrompt): string => prompt.slice(0, 60);
