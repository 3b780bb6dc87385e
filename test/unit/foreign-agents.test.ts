// Whole tasks of an agent of VS Code's kind, run on each model with the simulator's assistant: tools as the wire has them,
// or as text where it has none. What the agent's tools do is done here, in a folder of texts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { builtInModels } from "../../src/conversation/models.ts";
import {
  createLanguageModelChat,
  type LanguageModelEvent,
  type LanguageModelMessage,
  type LanguageModelPart,
} from "../../src/session/language-model-chat.ts";
import { createAssistant } from "../sim/assistant/assistant.ts";
import { simulatedClient } from "../support/simulated-client.ts";

const root = "/home/me/shop";
const sample = (path: string) => readFileSync(`test/fixtures/workspace/${path}`, "utf8");
const text = { type: "string" };
const tool = (name: string, properties: Readonly<Record<string, object>>) => ({
  name,
  description: `Is ${name}.`,
  parameters: { type: "object", properties, required: Object.keys(properties) },
});
const tools = [
  tool("read_file", { filePath: text, startLine: { type: "number" }, endLine: { type: "number" } }),
  tool("replace_string_in_file", { filePath: text, oldString: text, newString: text }),
  tool("list_dir", { path: text }),
];

const surroundings = `<environment_info>
The user's current OS is: Linux
</environment_info>
<workspace_info>
I am working in a workspace with the following folders:
- ${root} 
I am working in a workspace that has the following structure:
\`\`\`
src/
\tcart.ts
\tdiscount.ts
\`\`\`
</workspace_info>
`;

const user = (words: string): LanguageModelMessage => ({
  role: "user",
  parts: [{ kind: "text", text: words }],
});

for (const { id: model, route } of builtInModels)
  test(`an agent of another extension reads a file, edits it and completes a second task: ${model}`, async (t) => {
    const { sim, client } = await simulatedClient(t, { assistant: createAssistant({ pace: 0 }) });
    let id = 0;
    const chat = createLanguageModelChat({
      client,
      spending: { agreeTo: async () => true },
      limits: () => ({}),
      take() {},
      now: () => 1,
      newId: () => String(++id),
    });
    const files = new Map([
      [`${root}/src/discount.ts`, sample("src/discount.ts")],
      [`${root}/src/cart.ts`, sample("src/cart.ts")],
    ]);
    const use = (name: string, input: Readonly<Record<string, unknown>>): string => {
      const [path, old] = [String(input["filePath"]), String(input["oldString"])];
      const file = files.get(path);
      if (file === undefined) return `Error: ${path} is not there.`;
      if (name === "read_file") return file;
      if (file.split(old).length !== 2) return "Error: the string does not stand there once.";
      files.set(path, file.replace(old, String(input["newString"])));
      return "The file was successfully edited.";
    };

    const system = { role: "system", parts: [{ kind: "text", text: "You are an agent." }] } as const;
    const messages: LanguageModelMessage[] = [system, user(surroundings)];
    const used: string[] = [];
    async function ask(words: string): Promise<string> {
      messages.push(user(`<context>\nToday.\n</context>\n<userRequest>\n${words}\n</userRequest>`));
      for (let round = 0; round < 5; round++) {
        const events: LanguageModelEvent[] = [];
        const never = new AbortController().signal;
        for await (const event of chat.ask({ model, route, messages, tools }, async () => undefined, never))
          events.push(event);
        assert.deepEqual(events.at(-1), { type: "ended" });
        const said = events.flatMap((event) => (event.type === "text" ? [event.text] : [])).join("");
        const calls = events.flatMap((event) => (event.type === "call" ? [event] : []));
        assert.doesNotMatch(said, /tool_call/);
        const parts: LanguageModelPart[] = calls.map(({ id, name, input }) => ({
          kind: "call",
          id,
          name,
          input,
        }));
        messages.push({ role: "assistant", parts: [{ kind: "text", text: said }, ...parts] });
        if (calls.length === 0) return said;
        used.push(...calls.map(({ name }) => name));
        const results = calls.map(
          ({ id, name, input }): LanguageModelPart => ({
            kind: "result",
            id,
            text: use(name, input as Readonly<Record<string, unknown>>),
          }),
        );
        messages.push({ role: "user", parts: results });
      }
      assert.fail("It comes to no end.");
    }

    assert.match(await ask("Fix the bug in src/discount.ts"), /^Done/);
    assert.notEqual(files.get(`${root}/src/discount.ts`), sample("src/discount.ts"));
    assert.match(await ask("What does src/cart.ts do?"), /cart/i);
    assert.deepEqual(used, ["read_file", "replace_string_in_file", "read_file"]);
    assert.ok(sim.requests.every(({ body }) => "tools" in body === (route === "responses")));
  });
