// The form in which a person goes back to before a question: the files, the conversation, or both. It says before what
// that takes along, what it costs, and what cannot come back.
import type { RewindScope } from "../../../../conversation/state.ts";
import { button, h, setChildren } from "../../../elements/dom.ts";
import type { TurnDeps, TurnRewindPlan } from "../../../render-context.ts";
import { messageText } from "../../../words/messages.ts";
import { exact } from "../../../words/numbers-and-times.ts";
import { fill, strings } from "../../../words/strings.ts";
import { lossInWords } from "../../../words/usage-text.ts";

interface RewindForm {
  /** Empty while it is closed. */
  readonly root: HTMLElement;
  open(turn: string): void;
  takePlan(plan: TurnRewindPlan): void;
}

let forms = 0;

/** `leave`: shows the turn again, with the focus. */
export function rewindForm({ post }: Pick<TurnDeps, "post">, leave: () => void): RewindForm {
  forms += 1;
  const name = `rewind-${forms}`;
  const root = h("div", { class: "rewind" });
  const facts = h("ul", { class: "facts", role: "status" });
  const radios = new Map<RewindScope, HTMLInputElement>();
  const choice = (scope: RewindScope, label: string) => {
    const input = h("input", { type: "radio", name, value: scope });
    input.addEventListener("change", draw);
    radios.set(scope, input);
    return h("label", {}, input, label);
  };
  const scopes = h(
    "fieldset",
    {},
    h("legend", {}, strings.rewind),
    choice("both", strings.rewindBoth),
    choice("files", strings.rewindFiles),
    choice("conversation", strings.rewindConversation),
  );
  const go = button(strings.rewindDo, "primary", () => {
    const scope = chosen();
    if (turn === undefined || plan === undefined || go.disabled) return;
    const going = turn;
    close();
    post({ type: "rewind", turn: going, scope });
  });
  const buttons = h("div", { class: "buttons" }, go, button(strings.cancel, "secondary", close));
  let turn: string | undefined;
  let plan: TurnRewindPlan | undefined;

  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || turn === undefined) return;
    close();
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    root,
    open(id) {
      [turn, plan] = [id, undefined];
      choose("both");
      setChildren(root, [scopes, facts, buttons]);
      draw();
      radios.get("both")?.focus({ preventScroll: true });
      bringIntoSight();
      post({ type: "plan-rewind", turn: id });
    },
    takePlan(next) {
      if (turn === undefined) return;
      plan = next;
      if (next.files.length === 0) choose("conversation");
      draw();
      bringIntoSight();
    },
  };

  /** All of it, or where that is too much what is chosen. */
  function bringIntoSight(): void {
    root.scrollIntoView({ block: "nearest" });
    scopes.scrollIntoView({ block: "nearest" });
  }

  function close(): void {
    turn = undefined;
    setChildren(root, []);
    leave();
  }

  function choose(scope: RewindScope): void {
    const input = radios.get(scope);
    if (input !== undefined) input.checked = true;
  }

  function chosen(): RewindScope {
    return [...radios].find(([, input]) => input.checked)?.[0] ?? "both";
  }

  function draw(): void {
    const scope = chosen();
    go.disabled = plan === undefined || (scope === "files" && plan.files.length === 0);
    const lines = plan === undefined ? [strings.rewindLooking] : factsOf(plan, scope);
    setChildren(
      facts,
      lines.map((line) => h("li", { dir: "auto" }, line)),
    );
  }
}

/** Longer lists are counted. */
const mostNames = 8;

function factsOf(plan: TurnRewindPlan, scope: RewindScope): readonly string[] {
  const { files, left, questions, acted, tokens, price } = plan;
  const undoes =
    files.length === 0 ? strings.rewindNoFiles : fill(strings.rewindUndoes, { names: listed(files) });
  const stays = left.map(({ path, why }) => fill(strings.rewindLeft, { path, why: messageText(why) }));
  const cost = tokens === 0 ? [] : [lossInWords(strings.editCost, tokens, price)];
  const removes = [
    fill(strings.rewindRemoves, { count: exact(questions) }),
    strings.rewindBox,
    ...cost,
    strings.rewindSent,
  ];
  return [
    ...(scope === "conversation" ? [] : [undoes, ...stays]),
    ...(scope === "files" ? [] : removes),
    ...(acted.length === 0 || scope === "conversation"
      ? []
      : [fill(strings.rewindActed, { names: listed(acted) })]),
  ];
}

const listed = (names: readonly string[]): string =>
  names.length <= mostNames
    ? names.join(", ")
    : `${names.slice(0, mostNames).join(", ")}, … +${exact(names.length - mostNames)}`;
