// `run_checks`: the person's own checks on what the model has proposed. It takes no arguments: which commands there are, only
// a person decides.
import * as z from "zod/mini";
import { Refusal } from "../files/refusal.ts";
import { message } from "../messages/message.ts";
import { functionTool } from "./tool.ts";

/** They have limits of their own. */
const maxSeconds = 3600;

export const runChecks = functionTool({
  name: "run_checks",
  description:
    "Runs the user's own checks (types, lint, tests) on the workspace with your proposed changes and lists what they find that was not there before. They also run by themselves when you have finished.",
  parameters: { type: "object", properties: {}, additionalProperties: false },
  kind: "write",
  seconds: maxSeconds,
  input: z.object({}),
  summary: () => "",
  async run(_, { checks }, signal) {
    if (checks === undefined) throw new Refusal(message("checkNone"));
    return checks.report(signal);
  },
});
