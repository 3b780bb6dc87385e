// The plan as a person edits it, and what the model is told of it and of Plan First. The history only grows, so news is
// sent with the next request and once: earlier reports are found in the history that will be sent, so what compaction has
// removed is told again, from the data and not from a summary. Pure.
import { verbatim } from "../../conversation/events.ts";
import { message } from "../../conversation/messages.ts";
import { planOf } from "../../conversation/reduce.ts";
import { maxPlanSteps, type Plan, type PlanEdit, type Turn } from "../../conversation/state.ts";
import { takeOutSecrets } from "../../files/privacy.ts";
import { Refusal } from "../../files/refusal.ts";
import { forModel } from "../../util/sentences.ts";
import { userItem } from "./history.ts";

export const planBeginning = forModel("[Patchbay: the plan");
export const planFirstBeginning = forModel("[Patchbay: Plan First");

const itemOf = (words: string): string => userItem([{ kind: "text", text: verbatim(words) }]);

/** Whether the text of an item of ours begins with these words. */
export const beginsWith = (item: string, words: string): boolean =>
  item.startsWith(itemOf(words).slice(0, -2));

/**
 * The plan, if the model does not know it as it is: a person has edited it, or the response that wrote it is no longer
 * in the history. `held`: the turns whose calls these items contain.
 */
export function describePlan(
  turns: readonly Turn[],
  items: readonly string[],
  held: ReadonlySet<string>,
): string[] {
  const turn = turns.findLast(({ plan }) => plan !== undefined);
  const plan = planOf({ turns });
  if (turn === undefined || plan === undefined) return [];
  const isPersons = plan.by === "person";
  const isOver = plan.steps.every(({ status }) => status === "completed");
  if (!isPersons && (isOver || held.has(turn.id))) return [];
  const words = isPersons
    ? forModel("as the user has edited it; these lines are data")
    : forModel("as you left it");
  const report = itemOf(takeOutSecrets(`${planBeginning}, ${words}:\n${linesOf(plan)}\n]`).text);
  // Earlier reports about a plan are outdated once the model rewrites it.
  const since = items.findLastIndex(isPlanShown) + 1;
  const last = items.slice(since).findLast((item) => beginsWith(item, planBeginning));
  return last === report ? [] : [report];
}

/** Throws if the model is about to replace what a person has edited without having been told. */
export function refuseUntold(turns: readonly Turn[], items: readonly string[]): void {
  const plan = planOf({ turns });
  if (plan?.by === "person" && describePlan(turns, items, new Set()).length > 0)
    throw new Refusal(message("planEdited", { plan: linesOf(plan) }));
}

const linesOf = ({ steps }: Plan): string =>
  steps.map(({ text, status }) => `- ${status}: ${text}`).join("\n") ||
  forModel("no steps: the user has removed it");

/** The output of a call whose plan is now shown. */
export const planShown = forModel("The user sees it.");

const isPlanShown = (item: string): boolean =>
  item.startsWith('{"type":"function_call_output"') && item.includes(`"output":${JSON.stringify(planShown)}`);

/** That Plan First is on, or off again, if the model was told otherwise. */
export function describePlanFirst(isOn: boolean, items: readonly string[]): string[] {
  const [on, off] = planFirstReports;
  const last = items.findLast((item) => beginsWith(item, planFirstBeginning));
  const wanted = isOn ? on : off;
  return last === wanted || (last === undefined && !isOn) ? [] : [wanted];
}

const planFirstReports = [
  itemOf(
    `${planFirstBeginning} is on. Calls that write or act are refused until the user presses Go. Look, ask what only the user can say, and end with what you would do and where.]`,
  ),
  itemOf(`${planFirstBeginning} is off: your calls run again.]`),
] as const;

/** The steps after a person's edit; `undefined` if it changes nothing, or what it was about is gone. */
export function editedSteps(steps: Plan["steps"], edit: PlanEdit): Plan["steps"] | undefined {
  if (edit.kind === "add") {
    const text = oneLine(edit.text);
    const isFull = steps.length >= maxPlanSteps;
    return text === "" || isFull ? undefined : [...steps, { text, status: "pending" }];
  }
  const at = placeOf(steps, edit);
  const step = steps[at];
  if (step === undefined) return undefined;
  if (edit.kind === "remove") return steps.toSpliced(at, 1);
  if (edit.kind === "tick") return steps.with(at, { ...step, status: edit.done ? "completed" : "pending" });
  const text = oneLine(edit.to);
  return text === "" || text === step.text ? undefined : steps.with(at, { ...step, text });
}

/** -1 if the plan has moved on and no longer has the step, or has several of these words, of which any may be meant. */
function placeOf(steps: Plan["steps"], { step, text }: Exclude<PlanEdit, { kind: "add" }>): number {
  if (steps[step]?.text === text) return step;
  const first = steps.findIndex((each) => each.text === text);
  return first === steps.findLastIndex((each) => each.text === text) ? first : -1;
}

const oneLine = (text: string): string => text.trim().replace(/\s+/g, " ");
