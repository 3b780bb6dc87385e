// What is asked to be planned: a question first, then a plan, then words; and, once the person says so, all of it done.
import { call, type Part, reasoning, text } from "../script.ts";
import type { Conversation } from "./conversation.ts";

const steps = ["Read what is there", "Change it with its callers", "Add a test"];

const planOf = (status: (at: number) => string): Part =>
  call("update_plan", { steps: steps.map((step, at) => ({ step, status: status(at) })) });

/** Undefined where no plan is asked for, or the tools for it are not offered. */
export function planning({ question, tools, results }: Conversation): readonly Part[] | undefined {
  const offers = (name: string) => tools.some((tool) => tool.name === name);
  const result = (name: string) => results.find((each) => each.name === name)?.output;
  const isGo = /^\s*go ahead with the plan\b/i.test(question);
  if ((!isGo && !/^\s*(?:please )?(?:plan|make (?:me )?a plan)\b/i.test(question)) || !offers("update_plan"))
    return undefined;
  if (result("update_plan") !== undefined)
    return [
      text(isGo ? "All steps are done, as far as a simulator can." : "That is my plan. *Go* begins it."),
    ];
  if (isGo) return [planOf(() => "completed")];
  if (offers("ask_user") && result("ask_user") === undefined)
    return [
      reasoning("**Planning**\n\nOnly the user can say how far this should go."),
      call("ask_user", {
        question: "How far should the change go?",
        choices: ["Only this file", "Its callers as well", "Callers and tests"],
      }),
    ];
  return [planOf((at) => (at === 0 ? "in_progress" : "pending"))];
}
