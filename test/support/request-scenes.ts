// Every kind of request that the product sends for a model, each made by the product itself.
import type { Attachment } from "../../src/conversation/state.ts";
import { surroundingParts } from "../../src/session/session-context.ts";
import { call, incomplete, patchCall, text } from "../sim/script.ts";
import type { SessionOptions } from "./driven-session.ts";
import { editorScenes } from "./editor-scenes.ts";
import { openProvider } from "./plain-service.ts";
import { asks, chatModel, diff, patch, question, type Scene } from "./scene-parts.ts";
import { checkThatSays } from "./scene-stage.ts";
import { says } from "./text-calls.ts";

/** Nothing of it stands in the file. */
const wrongPatch = [
  "*** Begin Patch",
  "*** Update File: src/cart.ts",
  "@@",
  "   get total(): number {",
  "-    return totalOf(this.items);",
  "+    return totalOf(this.items, this.discount);",
  "*** End Patch",
  "",
].join("\n");

/** One pixel. */
const picture =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const scenes: readonly Scene[] = [
  ...editorScenes,
  {
    name: "first-question",
    about: "The first question of a conversation, with all tools of ours.",
    play: asks({}),
  },
  {
    name: "first-question-chat-only",
    about: "The same to a model that can only chat.",
    play: asks({}, { model: chatModel }),
  },
  {
    name: "surroundings",
    about:
      "What is told of the workspace and the editor without being attached; the system is left out here.",
    play: asks(
      {},
      {
        settings: { surroundings: surroundingParts.filter((part) => part !== "system") },
        lookAtEditor: () => ({
          active: {
            file: { folder: "shop", path: "src/price.ts" },
            at: { first: 10, last: 10 },
            visible: { first: 1, last: 11 },
          },
          changed: [{ folder: "shop", path: "src/cart.ts" }],
        }),
      },
    ),
  },
  {
    name: "tool-answers",
    about: "What two tools have answered goes back, and what a third has refused.",
    async play(stage) {
      stage.sim.reply(
        text("I look."),
        call("search_text", { query: "discount" }),
        call("read_file", { path: "src/price.ts" }),
        call("read_file", { path: "src/prices.ts" }),
      );
      stage.sim.reply(text("In totalOf."));
      await stage.open().send(question, []);
    },
  },
  {
    name: "patch-answers",
    about: "A patch was proposed and another one refused; then the files are read with the proposal in them.",
    async play(stage) {
      stage.sim.reply(patchCall(patch), call("read_file", { path: "src/price.ts" }));
      stage.sim.reply(patchCall(wrongPatch));
      stage.sim.reply(text("It is rounded now."));
      await stage.open().send("Round the total.", []);
    },
  },
  {
    name: "checks-found-something",
    about: "The person's own checks have run at the end of the turn, and what is new goes back.",
    async play(stage) {
      stage.sim.reply(patchCall(patch));
      stage.sim.reply(text("It is rounded now."));
      stage.sim.reply(text("That is so."));
      const checkHost = checkThatSays("src/price.ts(10,10): error TS2304: Cannot find name 'roundCents'.\n");
      await stage.open({ checkHost }).send("Round the total.", []);
    },
  },
  {
    name: "after-decisions",
    about:
      "The next question, after one change of a patch was accepted and the other rejected with a reason.",
    async play(stage) {
      stage.sim.reply(patchCall(patch));
      stage.sim.reply(text("It is rounded now."));
      stage.sim.reply(text("I see."));
      const driven = stage.open();
      await driven.send("Round the total.", []);
      const { pending } = driven.session.patches.changes;
      const hunksOf = (path: string) =>
        pending
          .filter(({ change }) => change.file.path === path)
          .flatMap(({ hunks }) => hunks.map(({ id }) => id));
      await driven.accept(hunksOf("src/price.ts"));
      await driven.reject(hunksOf("README.md"), "The README is right as it is.");
      await driven.send("And the cart?", []);
    },
  },
  {
    name: "files-have-changed",
    about: "A patch no longer fits, and the person sends what its files hold now.",
    async play(stage) {
      stage.sim.reply(patchCall(patch));
      stage.sim.reply(text("It is rounded now."));
      stage.sim.reply(text("I see."));
      const driven = stage.open();
      await driven.send("Round the total.", []);
      stage.files.set("README.md", "# Shop\n\nAll prices are cents.\n");
      const parts = driven.session.state.turns.flatMap((turn) => turn.parts);
      const calls = parts.flatMap((part) => (part.type === "patch" ? [part.call] : []));
      await driven.answer(() => driven.session.sendCurrent(calls[0] ?? ""));
    },
  },
  {
    name: "continue",
    about: "An answer was cut off at its limit, and the person presses Continue.",
    async play(stage) {
      stage.sim.reply(text("In totalOf, and it is"), incomplete());
      stage.sim.reply(text(" not rounded."));
      const driven = stage.open();
      await driven.send(question, []);
      await driven.answer(() => driven.session.retry("continue"));
    },
  },
  {
    name: "compaction",
    about: "The conversation is summarized, and goes on from the summary.",
    shows: 2,
    async play(stage) {
      for (const said of ["In totalOf.", "They asked where the discount is; it is in src/price.ts.", "Yes."])
        stage.sim.reply(text(said));
      const driven = stage.open();
      await driven.send(
        question,
        ["src/price.ts"].map((path) => ({ kind: "file", path })),
      );
      await driven.answer(() => driven.session.compact());
      await driven.accept();
      await driven.send("Is it tested?", []);
    },
  },
  {
    name: "attachments",
    about: "One of each kind that can be attached; one of them holds a key, one is never sent.",
    play: async (stage) => {
      stage.files.set(".env", "TOKEN=1234\n");
      stage.files.set("src/token.ts", `export const token = "ghp_${"a1B2".repeat(9)}";\n`);
      const attachments: readonly Attachment[] = [
        { kind: "selection", path: "src/price.ts", start: 8, end: 11 },
        { kind: "file", path: "src/round.ts" },
        { kind: "file", path: "src/token.ts" },
        { kind: "file", path: ".env" },
        { kind: "folder", path: "src" },
        { kind: "problems", path: "src/price.ts" },
        { kind: "terminal", name: "Terminal zsh", text: "$ npm test\n1 failed\n" },
        { kind: "diff", name: "Staged changes", text: diff },
        { kind: "text", name: "Untitled-1", text: "a note" },
        { kind: "image", name: "cart.png", url: picture },
        { kind: "conversation", id: "other", name: "Cents or euros?" },
      ];
      const turnsOf: SessionOptions["turnsOf"] = async () => {
        const other = stage.open();
        stage.sim.reply(text("Cents."));
        await other.send("Cents or euros?", []);
        return other.session.state.turns;
      };
      const turns = await turnsOf("other");
      await asks({ attachments }, { turnsOf: async () => turns })(stage);
    },
  },
  {
    name: "agents-file",
    about: "The workspace has an AGENTS.md, and the user has words for every conversation.",
    play: async (stage) => {
      stage.files.set(
        "AGENTS.md",
        "# For agents\n\nRun `npm test` before you finish. Money is an integer.\n",
      );
      await asks(
        {},
        { settings: { instructions: { user: "Answer in British English.", workspaceFile: true } } },
      )(stage);
    },
  },
  ...(
    [
      ["custom-grammar", "a custom tool with its grammar"],
      ["custom-text", "a custom tool without a format"],
      ["function", "a function"],
    ] as const
  ).map(
    ([patchTool, how]): Scene => ({
      name: `apply-patch-${patchTool}`,
      about: `apply_patch as ${how}, and how a patch that was proposed that way goes back.`,
      async play(stage) {
        stage.sim.reply(patchTool === "function" ? call("apply_patch", { input: patch }) : patchCall(patch));
        stage.sim.reply(text("It is rounded now."));
        await stage.open({ service: { patchTool } }).send("Round the total.", []);
      },
    }),
  ),
  {
    name: "apply-patch-text",
    about: "A patch of a model that calls tools in text, and the next question after it was accepted.",
    async play(stage) {
      stage.sim.replyWith(says((tags) => `I round it.\n\n${tags.patch(patch.trimEnd())}\n`));
      stage.sim.reply(text("It is rounded."));
      stage.sim.reply(text("Yes."));
      const driven = stage.open({ model: chatModel });
      await driven.send("Round the total.", [{ kind: "file", path: "src/price.ts" }]);
      await driven.accept();
      await driven.send("Is it tested?", []);
    },
  },
  {
    name: "web-search",
    about: "Web search is on.",
    play: asks({}, { settings: { webSearch: true } }),
  },
  ...(["svc-k3", chatModel] as const).map(
    (model): Scene => ({
      name: model === "svc-k3" ? "language-model" : "language-model-chat-only",
      about: `Another extension asks ${model} through VS Code's language models, with a tool that was called.`,
      async play({ sim }) {
        sim.reply(text("Two."));
        const provider = openProvider({ baseUrl: sim.url, key: sim.key }, () => "the-window");
        const said = (role: "user" | "assistant" | "system", words: string) => ({
          role,
          parts: [{ kind: "text", text: words } as const],
        });
        await provider.ask({
          model,
          messages: [
            said("system", "You are the assistant of another extension."),
            said("user", "How many carts are open?"),
            {
              role: "assistant",
              parts: [{ kind: "call", id: "one", name: "count", input: { of: "carts" } }],
            },
            { role: "user", parts: [{ kind: "result", id: "one", text: "2" }] },
          ],
          tools: [
            {
              name: "count",
              description: "Counts things.",
              parameters: {
                type: "object",
                properties: { of: { type: "string", enum: ["carts", "orders"] } },
                required: ["of"],
              },
            },
          ],
        });
        provider.close();
      },
    }),
  ),
];
