// The row that collapses all steps of a finished turn and summarizes them. The steps stay where they are, between the
// texts of the response, and are hidden until the row is opened: nothing is moved, so focus and selection survive.
import type { Part, Turn } from "../../../../conversation/state.ts";
import { h, setText } from "../../../elements/dom.ts";
import { icon } from "../../../elements/icons.ts";
import type { RenderContext, TurnDeps } from "../../../render-context.ts";
import { duration } from "../../../words/messages.ts";
import { exact } from "../../../words/numbers-and-times.ts";
import { fill, strings, toolWord } from "../../../words/strings.ts";

/** For a single step the row would say less than the step itself. */
const fewest = 2;

/**
 * Returns the steps that are collapsed, in their order; none while the turn runs. Failed or declined steps, those that
 * need approval and the findings of checks are not collapsed.
 */
export function finishedSteps({ status, parts }: Pick<Turn, "status" | "parts">): readonly Part[] {
  if (status === "running") return [];
  const steps = parts.filter(isStep);
  return steps.length < fewest ? [] : steps;
}

function isStep(part: Part): boolean {
  if (part.type === "tool") return part.status === "done" && !keepsItsRow(part.name);
  return part.type === "reasoning" || (part.type === "search" && part.status === "completed");
}

/** A tool of ours whose result is more than a step. */
const keepsItsRow = (tool: string): boolean =>
  toolWord(tool, "done") !== undefined && toolWord(tool, "step") === undefined;

/** Tools that have a phrase of their own, in the order in which they are named. */
const named: readonly string[] = Object.keys(strings).flatMap((key) => /^(.+)\.step$/.exec(key)?.[1] ?? []);

/** For example: "Read 3 files, searched twice, thought for 14 s". */
export function stepsInWords(steps: readonly Part[]): string {
  const others = new Set(steps.flatMap((part) => (part.type === "tool" ? [part.name] : [])));
  for (const tool of named) others.delete(tool);
  const said = [
    ...named.map((tool) =>
      phraseOf(
        tool,
        steps.filter((part) => toolOf(part) === tool),
      ),
    ),
    others.size > 1 ? fill(strings.stepTools, { count: exact(others.size) }) : "",
    others.size === 1 ? fill(strings.stepTool, { name: [...others].join("") }) : "",
    thoughtOf(steps),
  ];
  const sentence = said
    .filter((each) => each !== "")
    .reduce((before, next) => fill(strings.stepThen, { before, next }));
  return sentence.slice(0, 1).toLocaleUpperCase() + sentence.slice(1);
}

/** The service's own web search is not a tool call, but is named like one. */
const toolOf = (part: Part): string | undefined =>
  part.type === "search" ? "web_search" : part.type === "tool" ? part.name : undefined;

function phraseOf(tool: string, calls: readonly Part[]): string {
  const [once = "", twice, often] = [
    toolWord(tool, "step"),
    toolWord(tool, "stepTwice"),
    toolWord(tool, "stepOften"),
  ];
  const count = often?.includes("{files}") ? new Set(calls.map(pathOf)).size : calls.length;
  if (count < 2) return count === 0 ? "" : once;
  const number = exact(count);
  return fill((count === 2 ? twice : undefined) ?? often ?? once, { count: number, files: number });
}

/** The path alone, so that two ranges of a file count as one file. */
function pathOf(part: Part): unknown {
  if (part.type !== "tool") return part.id;
  const { summary } = part;
  return typeof summary === "string" ? summary : (summary.args?.["path"] ?? summary.code);
}

/** The total time of all thoughts. */
function thoughtOf(steps: readonly Part[]): string {
  const thoughts = steps.filter((part) => part.type === "reasoning");
  if (thoughts.length === 0) return "";
  const took = thoughts.reduce((sum, thought) => sum + (thought.took ?? 0), 0);
  // No duration below a second, or for thoughts saved before durations were measured.
  return took < 1000 ? strings.stepThought : fill(strings.stepThoughtFor, { duration: duration(took) });
}

interface StepsRow {
  readonly root: HTMLElement;
  /** Inserts the row before the first step. `rootOf` returns the element of a part. */
  update(turn: Turn, context: RenderContext, rootOf: (part: string) => HTMLElement | undefined): void;
}

export function stepsRow({ choices }: Pick<TurnDeps, "choices">): StepsRow {
  const said = h("span", { class: "verb" });
  const toggle = h("button", { type: "button", class: "fold-head" }, icon("chevron"), said);
  const root = h("div", { class: "part steps" }, toggle);
  let steps: readonly HTMLElement[] = [];
  let key = "";
  /** Whether the row opened initially, when the steps were finished. */
  let wasOpen: boolean | undefined;

  toggle.addEventListener("click", () => {
    choices.set(key, isOpen() ? "folded" : "open");
    show();
  });

  return {
    root,
    update(turn, { preferences }, rootOf) {
      const parts = finishedSteps(turn);
      steps = parts.flatMap(({ id }) => rootOf(id) ?? []);
      key = `steps ${turn.id}`;
      const [first] = steps;
      if (first === undefined) return;
      if (first.previousElementSibling !== root) first.before(root);
      setText(said, stepsInWords(parts));
      wasOpen ??= preferences.reasoning === "expanded" || steps.some(isRead);
      show();
    },
  };

  function isOpen(): boolean {
    const chosen = choices.get(key);
    return chosen === undefined ? wasOpen === true : chosen === "open";
  }

  function show(): void {
    toggle.ariaExpanded = String(isOpen());
    for (const step of steps) {
      step.hidden = !isOpen();
      step.classList.add("finished");
    }
  }
}

/** The user has opened, focused or selected something in the step, so it is not hidden. */
function isRead(step: HTMLElement): boolean {
  if (step.querySelector("details[open], .fold-head[aria-expanded='true'], :focus") !== null) return true;
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(step, true);
}
