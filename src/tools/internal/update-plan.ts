// `update_plan`: shows the user what the model has set out to do, as a checklist that they can edit.
import * as z from "zod/mini";
import { message } from "../../conversation/messages.ts";
import { maxPlanStep, maxPlanSteps } from "../../conversation/state.ts";
import { Refusal } from "../../files/refusal.ts";
import { functionTool } from "../tool.ts";

const Input = z.object({
  steps: z.array(
    z.object({
      step: z.string().check(z.minLength(1)),
      status: z.enum(["pending", "in_progress", "completed"]),
    }),
  ),
});

export const updatePlan = functionTool({
  name: "update_plan",
  description: "Shows the user your plan for a long task, at most one step in progress.",
  parameters: {
    type: "object",
    properties: {
      steps: {
        type: "array",
        items: {
          type: "object",
          properties: {
            step: { type: "string" },
            status: { enum: ["pending", "in_progress", "completed"] },
          },
        },
      },
    },
    required: ["steps"],
    additionalProperties: false,
  },
  kind: "write",
  acts: false,
  input: Input,
  summary: ({ steps }) =>
    message("planDone", {
      done: steps.filter(({ status }) => status === "completed").length,
      count: steps.length,
    }),
  async run({ steps }, { showPlan }) {
    const plan = steps.map(({ step, status }) => ({ text: step.trim().replace(/\s+/g, " "), status }));
    if (plan.length > maxPlanSteps || plan.some(({ text }) => text === "" || text.length > maxPlanStep))
      throw new Refusal(message("planTooLong", { count: maxPlanSteps, most: maxPlanStep }));
    if (plan.filter(({ status }) => status === "in_progress").length > 1)
      throw new Refusal(message("planOneAtATime"));
    return showPlan(plan);
  },
});
