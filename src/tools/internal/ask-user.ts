// `ask_user`: asks the user one question, which they answer in its row.
import * as z from "zod/mini";
import { message } from "../../conversation/messages.ts";
import { maxChoices } from "../../conversation/state.ts";
import { answerForModel, functionTool } from "../tool.ts";

export const askUser = functionTool({
  name: "ask_user",
  description:
    "Asks the user something only they can answer before you go on. One per reply, never for permission.",
  parameters: {
    type: "object",
    properties: {
      question: { type: "string" },
      choices: { type: "array", items: { type: "string" }, maxItems: maxChoices },
    },
    required: ["question"],
    additionalProperties: false,
  },
  kind: "write",
  acts: false,
  seconds: "unlimited",
  input: z.object({
    question: z.string().check(z.minLength(1), z.maxLength(2000)),
    choices: z._default(
      z.array(z.string().check(z.minLength(1), z.maxLength(300))).check(z.maxLength(maxChoices)),
      [],
    ),
  }),
  summary: ({ question }) => question,
  async run({ question, choices }, { ask }) {
    const answer = await ask({ text: question, choices: [...new Set(choices)] });
    const shown = answer === undefined ? message("askUserNoAnswer") : message("askUserAnswer", { answer });
    return { output: answerForModel(answer), message: shown };
  },
});
