// Above the input: that Plan First is on, with the button that ends it, and the plan as a checklist that the person can
// tick and edit. What they change goes to the host, which tells the model with its next request.
import type { ViewState } from "../../../bridge/view-state.ts";
import { planOf } from "../../../conversation/reduce.ts";
import { type Conversation, maxPlanStep, type PlanEdit, type PlanStep } from "../../../conversation/state.ts";
import { button, h, iconButton, setChildren, setText } from "../../elements/dom.ts";
import { icon } from "../../elements/icons.ts";
import { type Row, rows } from "../../elements/rows.ts";
import type { Choices, Post } from "../../render-context.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings } from "../../words/strings.ts";
import { composingGuard } from "./text-input.ts";

interface PlanView {
  readonly root: HTMLElement;
  update(viewState: ViewState, conversation: Conversation): void;
  /** Ends Plan First, if it is on and there is something to go on with. Returns whether it did. */
  go(): boolean;
}

interface PlanDeps {
  readonly post: Post;
  /** Whether the checklist is folded. */
  readonly choices: Choices;
  /** Announces a sentence to screen readers. */
  say(sentence: string): void;
}

interface StepRow extends Row, PlanStep {
  readonly at: number;
  /** How many earlier steps have the same text. */
  readonly earlier: number;
  readonly readOnly: boolean;
}

const fold = "plan";

export function planView({ post, choices, say }: PlanDeps): PlanView {
  let steps: readonly PlanStep[] = [];
  /** What was shown last, and of which conversation. */
  let shown: { readonly id: string; readonly planFirst: boolean } | undefined;
  let canGo = false;
  /** The row that is being reworded keeps its element whatever the model does to its step. */
  let rewording: StepRow | undefined;

  const edit = (change: PlanEdit) => post({ type: "edit-plan", edit: change });
  const chip = h(
    "span",
    { class: "chip" },
    h("span", { class: "name" }, strings.planFirst),
    iconButton(strings.planFirstEnd, "close", () => post({ type: "set-options", planFirst: false })),
  );
  // Not the primary button: that stays where it is without a plan.
  const start = button(strings.go, "secondary", go);
  start.setAttribute("aria-keyshortcuts", "Control+Shift+Enter Meta+Shift+Enter");
  start.title = strings.goKey;
  const first = h(
    "div",
    { class: "plan-first", role: "group", "aria-label": strings.planFirst },
    chip,
    h("span", { class: "quiet" }, strings.planFirstMeans),
  );
  const count = h("span", { class: "quiet" });
  const current = h("bdi", { class: "what" });
  const head = h(
    "button",
    { type: "button", class: "fold-head" },
    icon("chevron"),
    h("span", { class: "verb" }, strings.plan),
    count,
    current,
  );
  head.addEventListener("click", () => {
    choices.set(fold, isFolded() ? "open" : "folded");
    show();
  });
  const list = h("ul", { class: "plan-steps" });
  const field = stepField(strings.planAdd, (text) => {
    edit({ kind: "add", text });
    say(fill(strings.planAdded, { step: text }));
    field.value = "";
  });
  field.classList.add("plan-add");
  const body = h("div", {}, list, field);
  const checklist = h("div", { class: "plan-list" }, head, body);
  const root = h("section", { class: "plan", "aria-label": strings.plan });
  const draw = rows<StepRow>(list, stepRow);

  // Arrow keys move between the steps, which are one Tab stop together.
  list.addEventListener("keydown", (event) => {
    const boxes = [...list.querySelectorAll<HTMLElement>("input[type=checkbox]")];
    const own = (event.target as Element).closest("li")?.querySelector<HTMLElement>("input[type=checkbox]");
    const at = own == null ? -1 : boxes.indexOf(own);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (at < 0 || step === 0) return;
    event.preventDefault();
    boxes[Math.min(Math.max(at + step, 0), boxes.length - 1)]?.focus();
  });
  list.addEventListener("focusin", ({ target }) => makeStop((target as Element).closest("li")));

  return {
    root,
    update(viewState, conversation) {
      const { planFirst, readOnly } = viewState;
      // Only what changes in the conversation is announced, not how it was when the page was opened.
      if (shown?.id === conversation.id && planFirst !== shown.planFirst)
        say(planFirst ? strings.planFirstIsOn : strings.planFirstIsOff);
      shown = { id: conversation.id, planFirst };
      canGo = planFirst && !readOnly && conversation.turns.length > 0;
      steps = planOf(conversation)?.steps ?? [];
      if (canGo) first.append(start);
      else start.remove();
      setChildren(root, [...(planFirst ? [first] : []), ...(steps.length > 0 ? [checklist] : [])]);
      root.hidden = !planFirst && steps.length === 0;
      field.hidden = readOnly;
      const before = document.activeElement?.closest("li") ?? null;
      const focused = before !== null && list.contains(before) ? [...list.children].indexOf(before) : -1;
      draw(
        steps.map((step, at) => {
          const earlier = steps.slice(0, at).filter(({ text }) => text === step.text).length;
          const isKept = rewording?.text === step.text && rewording.earlier === earlier;
          return isKept && rewording !== undefined
            ? rewording
            : { ...step, id: step.text, at, earlier, readOnly };
        }),
      );
      if (focused >= 0 && !list.contains(document.activeElement)) focusStep(focused);
      makeStop(document.activeElement?.closest("li") ?? null);
      show();
    },
    go,
  };

  function go(): boolean {
    if (canGo) post({ type: "go", prompt: strings.goPrompt });
    return canGo;
  }

  function isFolded(): boolean {
    return choices.get(fold) === "folded";
  }

  function show(): void {
    const done = steps.filter(({ status }) => status === "completed").length;
    setText(count, fill(strings.planCount, { done: exact(done), count: exact(steps.length) }));
    const now = steps.find(({ status }) => status === "in_progress");
    setText(current, isFolded() ? (now?.text ?? "") : "");
    head.ariaExpanded = String(!isFolded());
    body.hidden = isFolded();
  }

  /** After a step is gone, the focus moves to the one in its place, or to the field below. */
  function focusStep(at: number): void {
    const row = list.children[Math.min(at, list.children.length - 1)];
    (row?.querySelector<HTMLElement>("input") ?? field).focus();
  }

  /** The controls of one step are Tab stops, those of the others are reached by the arrow keys. */
  function makeStop(row: Element | null): void {
    const all = [...list.children];
    const stop = row !== null && all.includes(row) ? row : (all.find(isStop) ?? all[0]);
    for (const each of all)
      for (const control of each.querySelectorAll<HTMLElement>("input, button"))
        control.tabIndex = each === stop ? 0 : -1;
  }

  function stepRow(row: StepRow): HTMLElement {
    const { at, text, status, readOnly } = row;
    const here = { step: at, text };
    const box = h("input", { type: "checkbox" });
    box.checked = status === "completed";
    box.disabled = readOnly;
    box.addEventListener("change", () => edit({ kind: "tick", ...here, done: box.checked }));
    const words = h("bdi", { class: "name" }, text);
    const isNow = status === "in_progress";
    const now = isNow ? [" ", h("span", { class: "now" }, strings.planNow)] : [];
    const label = h("label", {}, box, h("span", {}, words, ...now));
    const reword = iconButton(fill(strings.planReword, { step: text }), "edit", begin);
    const remove = iconButton(fill(strings.planRemove, { step: text }), "close", drop);
    const item = h("li", { "data-status": status }, label, ...(readOnly ? [] : [reword, remove]));
    item.addEventListener("keydown", ({ key, target }) => {
      if (readOnly || target !== box) return;
      if (key === "F2") begin();
      else if (key === "Delete") drop();
    });
    return item;

    function drop(): void {
      edit({ kind: "remove", ...here });
      say(fill(strings.planRemoved, { step: text }));
    }

    function begin(): void {
      rewording = row;
      const input = stepField(
        fill(strings.planReword, { step: text }),
        (to) => end(to),
        () => end(),
      );
      input.value = text;
      input.addEventListener("blur", () => rewording === row && end(input.value.trim()));
      setChildren(item, [input]);
      input.focus();
      input.select();
    }

    function end(to = text): void {
      rewording = undefined;
      setChildren(item, [label, reword, remove]);
      box.focus();
      if (to !== "" && to !== text) edit({ kind: "reword", ...here, to });
    }
  }
}

const isStop = (row: Element): boolean => row.querySelector('[tabindex="0"]') !== null;

/** A text field for a step: Enter saves it, Escape cancels. */
function stepField(label: string, take: (text: string) => void, leave?: () => void): HTMLInputElement {
  const input = h("input", {
    ...{ type: "text", class: "field", dir: "auto", "aria-label": label, placeholder: label },
    maxlength: String(maxPlanStep),
  });
  const composing = composingGuard(input);
  input.addEventListener("keydown", (event) => {
    if (composing(event)) return;
    const text = input.value.trim();
    if (event.key === "Enter" && text !== "") take(text);
    else if (event.key === "Escape" && leave !== undefined) leave();
    else if (event.key === "Escape" && text !== "") input.value = "";
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return input;
}
