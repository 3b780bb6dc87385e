// Another extension that asks through VS Code's language models, and the strict simulator that answers it: what the tests of
// that begin with.

import type { ConversationEvent } from "../../src/conversation/events.ts";
import type { Problem, ProblemAction } from "../../src/conversation/problem.ts";
import type { ServiceClient } from "../../src/service/service-client.ts";
import type { LanguageModelQuestion } from "../../src/session/internal/language-model-request.ts";
import {
  createLanguageModelChat,
  type LanguageModelEvent,
  type LanguageModelMessage,
} from "../../src/session/language-model-chat.ts";
import { SpendGuard } from "../../src/session/spend-guard.ts";
import type { ProfileName } from "../sim/profiles.ts";
import { sessionNeeds } from "./session-defaults.ts";
import { simulatedClient } from "./simulated-client.ts";

export const tools = [
  { name: "look_up", description: "Looks up.", parameters: { properties: { word: { type: "string" } } } },
];
export const user = (words: string): LanguageModelMessage => ({
  role: "user",
  parts: [{ kind: "text", text: words }],
});
export const k3 = { model: "svc-k3", route: "responses" as const, tools };
export const chatModel = { model: "svc-k2.6", route: "chat" as const, tools };

type Client = Pick<ServiceClient, "respond" | "chat" | "found">;

export async function start(
  t: { after(run: () => Promise<void>): void },
  profile: ProfileName = "strict",
  change: (client: Client) => Client = (client) => client,
) {
  const { sim, client } = await simulatedClient(t, { profile });
  const taken: ConversationEvent[] = [];
  const limit: { tokens: number | null } = { tokens: null };
  const asked: Problem[] = [];
  const answers: (ProblemAction | undefined)[] = [];
  const person = async (problem: Problem) => {
    asked.push(problem);
    return answers.shift();
  };
  let id = 0;
  const clock = { now: 1 };
  const own: { outputTokens?: number; effort?: string; cacheTtl?: "5m" | "1h" } = {};
  const chat = createLanguageModelChat({
    client: change(client),
    take: (event) => void taken.push(event),
    now: () => clock.now,
    newId: () => String(++id),
    limits: () => own,
    spending: new SpendGuard({
      counts: {
        aboutRequest: ({ request }) => ({ tokens: JSON.stringify(request).length, margin: 0, counts: 0 }),
        learnRequest() {},
      },
      prices: sessionNeeds.prices,
      limit: () => limit.tokens,
      now: () => 1,
    }),
  });
  const ask = async (question: LanguageModelQuestion, signal = new AbortController().signal) => {
    const events: LanguageModelEvent[] = [];
    for await (const event of chat.ask(question, person, signal)) events.push(event);
    const said = events.map((event) => (event.type === "text" ? event.text : "")).join("");
    return { events, said, last: events.at(-1) };
  };
  return { sim, client, ask, taken, chat, person, limit, asked, answers, own, clock };
}

export const inputOf = (body: object) => (body as { input: Record<string, unknown>[] }).input;

export const messagesOf = (requests: readonly { readonly body: object }[]) =>
  requests.map(({ body }) => (body as { messages: { role: string; content: string }[] }).messages);

/** What the tags of calls in text end in, as the model was told. */
export const markIn = (body: object): string => {
  const [system] = messagesOf([{ body }])[0] ?? [];
  return /<tool_call_(\w+)>/.exec(system?.content ?? "")?.[1] ?? "";
};

export const results = (id: string, words: string): LanguageModelMessage => ({
  role: "user",
  parts: [{ kind: "result", id, text: words }],
});
export const calls = (...made: { id: string; name: string; input: object }[]): LanguageModelMessage => ({
  role: "assistant",
  parts: made.map((each) => ({ kind: "call", ...each })),
});
