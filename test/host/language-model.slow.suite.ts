// The models as VS Code's own language models: chosen, asked and cancelled through the editor's API, answered by a real
// service, in its ledger; nothing is sent for a count.

import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { ConversationEvent } from "../../src/conversation/events.ts";
import { builtInModels } from "../../src/conversation/models.ts";
import type { Problem } from "../../src/conversation/problem.ts";
import { chatSteps } from "../../src/editor/language-model/chat-set-up.ts";
import { informationOf, registerLanguageModel } from "../../src/editor/language-model/offered-models.ts";
import {
  createLanguageModelAnswers,
  type LanguageModelAnswers,
} from "../../src/editor/language-model/serve-requests.ts";
import { callText } from "../../src/session/internal/text-calls.ts";
import { createLanguageModelChat } from "../../src/session/language-model-chat.ts";
import { SpendGuard } from "../../src/session/spend-guard.ts";
import { featuresOf, LocalEstimate } from "../../src/usage/local-estimate.ts";
import { cutAfterEvents } from "../sim/delivery-faults.ts";
import { status } from "../sim/http-answers.ts";
import { call, reasoning, text, usage } from "../sim/script.ts";
import { type Simulator, startSimulator } from "../sim/simulator.ts";
import { verbatim } from "../support/english.ts";
import { markIn } from "../support/foreign-extension.ts";
import { sessionNeeds } from "../support/session-defaults.ts";
import { clientOf } from "../support/simulated-client.ts";
import { activeTab } from "./support/heard.ts";

describe("language models for other extensions", () => {
  let sim: Simulator;
  let problem: Problem | undefined;
  let taken: ConversationEvent[];
  let answers: LanguageModelAnswers;
  let limit: number | null = null;
  let isTrusted = true;
  let changed: vscode.EventEmitter<void>;
  let parts: vscode.Disposable[];
  const enable = (value: boolean | undefined) =>
    vscode.workspace
      .getConfiguration("patchbay")
      .update("languageModel.enabled", value, vscode.ConfigurationTarget.Global);

  beforeEach(async () => {
    sim = await startSimulator();
    [problem, taken, limit, isTrusted] = [undefined, [], null, true];
    const client = clientOf(sim);
    changed = new vscode.EventEmitter<void>();
    // The vendor is there once the setting says so; the product, which has no key here, offers nothing.
    await enable(true);
    const take = (event: ConversationEvent) => void taken.push(event);
    const local = new LocalEstimate();
    const spending = new SpendGuard({
      counts: { aboutRequest: () => ({ tokens: 10, margin: 0, counts: 1 }), learnRequest() {} },
      prices: sessionNeeds.prices,
      limit: () => limit,
      now: Date.now,
    });
    answers = createLanguageModelAnswers(
      createLanguageModelChat({
        client,
        limits: () => ({}),
        spending,
        take,
        now: Date.now,
        newId: () => "id",
      }),
      {
        about: (model, contents) =>
          local.count(
            model,
            featuresOf({
              texts: contents.flatMap((each) => (each.kind === "text" ? [each.text] : [])),
              messages: 1,
            }),
          ),
      },
      {
        rates: (id) =>
          id === "svc-k3" ? { input: 2, cached: 0.5, write5m: 3, write1h: 4, output: 8 } : undefined,
        amount: (sum) => `${sum} €`,
      },
    );
    const registered = registerLanguageModel({
      isEnabled: () => true,
      isTrusted: () => isTrusted,
      models: () => builtInModels,
      effort: () => undefined,
      hasPrices: () => true,
      problem: async () => problem,
      onDidChange: changed.event,
      report: assert.ifError,
      open: async () => answers,
    });
    parts = [registered, changed, { dispose: () => client.dispose() }];
  });

  afterEach(async () => {
    vscode.Disposable.from(...parts).dispose();
    await enable(undefined);
    for (const command of ["notifications.clearAll", "workbench.action.closeAllEditors"])
      await vscode.commands.executeCommand(command);
    await sim.close();
  });

  async function model(id: string): Promise<vscode.LanguageModelChat> {
    const [found] = await vscode.lm.selectChatModels({ vendor: "patchbay", id });
    assert(found !== undefined, `${id} is not there`);
    return found;
  }

  const user = (words: string) => vscode.LanguageModelChatMessage.User(words);

  it("are selected by ID and stream the response of the service", async () => {
    const k3 = await model("svc-k3");
    assert.deepEqual([k3.vendor, k3.name, k3.maxInputTokens], ["patchbay", "K3", 131_072]);
    sim.reply(text("A cart is a list of lines."));
    const { text: stream } = await k3.sendRequest([user("What is a cart?")]);
    const pieces: string[] = [];
    for await (const piece of stream) pieces.push(piece);
    assert.equal(pieces.join(""), "A cart is a list of lines.");
    assert(pieces.length > 1, "it came in one piece");
    assert.equal(taken.filter(({ type }) => type === "usage").length, 1);
    sim.done();
  });

  it("pass tool calls to the caller, which runs the tool and asks again", async () => {
    const k3 = await model("svc-k3");
    const tools = [{ name: "look_up", description: "Looks up.", inputSchema: { type: "object" } }];
    sim.reply(call("look_up", { word: "cart" }));
    const first = await k3.sendRequest([user("What is a cart?")], { tools });
    const calls: vscode.LanguageModelToolCallPart[] = [];
    for await (const part of first.stream)
      if (part instanceof vscode.LanguageModelToolCallPart) calls.push(part);
    assert.deepEqual(
      calls.map(({ name, input }) => [name, input]),
      [["look_up", { word: "cart" }]],
    );
    sim.reply(text("Lines."));
    const [asked] = calls;
    assert(asked !== undefined);
    const result = new vscode.LanguageModelToolResultPart(asked.callId, [
      new vscode.LanguageModelTextPart("l"),
    ]);
    const second = await k3.sendRequest(
      [
        user("What is a cart?"),
        vscode.LanguageModelChatMessage.Assistant([asked]),
        vscode.LanguageModelChatMessage.User([result]),
      ],
      { tools },
    );
    let said = "";
    for await (const piece of second.text) said += piece;
    assert.equal(said, "Lines.");
    sim.done();
  });

  it("report reasoning and usage where the editor has parts for them", async () => {
    const k3 = await model("svc-k3");
    sim.reply(reasoning("I think of carts."), text("Lines."), usage({ input: 12, cached: 5, output: 3 }));
    const { stream } = await k3.sendRequest([user("What is a cart?")]);
    const parts: unknown[] = [];
    for await (const part of stream) parts.push(part);
    const newer = vscode as unknown as Record<string, (new (...given: never[]) => unknown) | undefined>;
    const ofKind = (name: string) => {
      const kind = newer[name];
      return kind === undefined ? undefined : parts.filter((part) => part instanceof kind);
    };
    const figures = ofKind("LanguageModelDataPart")?.map((part) => (part as { data: Uint8Array }).data);
    for (const bytes of figures ?? []) {
      assert.deepEqual(JSON.parse(Buffer.from(bytes).toString("utf8")), {
        prompt_tokens: 12,
        completion_tokens: 3,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 5 },
      });
    }
    const thoughts = ofKind("LanguageModelThinkingPart")?.map((part) =>
      String((part as { value: unknown }).value),
    );
    assert.ok(thoughts === undefined || thoughts.join("") === "I think of carts.", String(thoughts));
    assert.ok(figures === undefined || figures.length === 1, String(figures?.length));
    sim.done();
  });

  it("send the trees of VS Code's own tools as text, and images as images", async () => {
    const k3 = await model("svc-k3");
    const tree = {
      node: {
        type: 1,
        children: [
          { type: 2, text: "first line", lineBreakBefore: false },
          { type: 1, children: [{ type: 2, text: "second line", lineBreakBefore: true }] },
        ],
      },
    };
    const { LanguageModelDataPart: Data } = vscode as unknown as {
      LanguageModelDataPart: new (data: Uint8Array, mimeType: string) => vscode.LanguageModelTextPart;
    };
    const result = new vscode.LanguageModelToolResultPart("c1", [
      new vscode.LanguageModelPromptTsxPart(tree),
      new Data(new Uint8Array([1, 2, 3]), "image/png"),
    ]);
    sim.reply(text("I see."));
    const { text: stream } = await k3.sendRequest([
      user("Look."),
      vscode.LanguageModelChatMessage.Assistant([new vscode.LanguageModelToolCallPart("c1", "look", {})]),
      vscode.LanguageModelChatMessage.User([result]),
    ]);
    for await (const _ of stream);
    const sent = JSON.stringify(sim.requests.at(-1)?.body);
    assert.ok(sent.includes("first line\\nsecond line"), sent);
    assert.ok(!sent.includes("left out"), sent);
    assert.ok(sent.includes("data:image/png;base64,AQID"), sent);
    sim.done();
  });

  it("enforce a required tool call, with or without tools in their interface", async () => {
    const tools = [{ name: "look_up", description: "Looks up.", inputSchema: { type: "object" } }];
    const toolMode = vscode.LanguageModelChatToolMode.Required;
    const k3 = await model("svc-k3");
    sim.reply(text("No."));
    sim.reply(call("look_up", { word: "cart" }));
    const { stream } = await k3.sendRequest([user("Look it up.")], { tools, toolMode });
    const parts: unknown[] = [];
    for await (const part of stream) parts.push(part);
    assert.equal(parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart).length, 1);
    assert.equal(parts.filter((part) => part instanceof vscode.LanguageModelTextPart).length, 0);
    const chats = await model("svc-k2.6");
    sim.replyWith(({ body }) => [text(callText({ name: "look_up", input: { word: "cart" } }, markIn(body)))]);
    const called = await chats.sendRequest([user("Look it up.")], { tools, toolMode });
    const made: unknown[] = [];
    for await (const part of called.stream) made.push(part);
    const found = made.flatMap((part) =>
      part instanceof vscode.LanguageModelToolCallPart ? [[part.name, part.input]] : [],
    );
    assert.deepEqual(found, [["look_up", { word: "cart" }]]);
    for (const _ of [1, 2]) sim.reply(text("No."));
    await assert.rejects(async () => {
      const { text: answer } = await chats.sendRequest([user("Look it up.")], { tools, toolMode });
      for await (const _ of answer);
    }, /problemNotCalled/);
    sim.done();
  });

  it("fail with a sentence and a code, and without a stack", async () => {
    const k3 = await model("svc-k3");
    for (const [answer, sentence, code] of [
      [status(401), /problemKey.*Patchbay: Connection…/, "NoPermissions"],
      [status(404, { type: "not_found_error" }), /problem/, "NotFound"],
      [text(""), /problemNothing/, undefined],
    ] as const) {
      sim.reply(answer);
      const failure: unknown = await (async () => {
        for await (const _ of (await k3.sendRequest([user("What is a cart?")])).stream);
      })().catch((error: unknown) => error);
      assert(failure instanceof Error);
      assert.match(failure.message, sentence);
      assert.equal(failure.stack ?? "", "");
      assert.equal((failure as { code?: unknown }).code, code);
    }
    sim.done();
  });

  it("describe their context window, tools, effort and the person's own prices", async () => {
    const [k3, , , k26] = builtInModels;
    assert(k3 !== undefined && k26 !== undefined);
    const known = { effort: () => "max" };
    const price = answers.price("svc-k3");
    assert.match(price ?? "", /2 €.*8 €/);
    assert.equal(answers.price("svc-k2.6"), undefined);
    const one = informationOf({ ...k3, contextWindow: 200_000 }, known, price);
    assert.equal(one.maxInputTokens + one.maxOutputTokens, 200_000);
    assert.equal(one.pricing, price);
    const effort = one.configurationSchema?.properties["effort"];
    assert.deepEqual(effort && "enum" in effort && effort.enum, ["", "low", "medium", "high", "max"]);
    assert(effort !== undefined && "default" in effort && effort.default === "max");
    const other = informationOf(k26, known, undefined);
    assert.deepEqual([other.maxInputTokens, other.capabilities.toolCalling], [131_072, true]);
    assert.match(other.tooltip, /as text.*Images are accepted/);
    assert.doesNotMatch(informationOf({ ...k26, vision: false }, known, undefined).tooltip, /mages/);
    assert.deepEqual(["pricing" in other, "configurationSchema" in other], [false, false]);
    // Where the picker shows a price, it shows no tooltip.
    assert.match(informationOf(k26, known, "2 €").pricing ?? "", /^2 €; tools are sent as text/);
  });

  const respond = (options: object, token = new vscode.CancellationTokenSource().token) => {
    const [k3] = builtInModels;
    assert(k3 !== undefined);
    const said: vscode.LanguageModelResponsePart[] = [];
    const message = { role: vscode.LanguageModelChatMessageRole.User, name: undefined };
    const messages = [{ ...message, content: [new vscode.LanguageModelTextPart("Think.")] }];
    const toolMode = vscode.LanguageModelChatToolMode.Auto;
    const progress = { report: (part: vscode.LanguageModelResponsePart) => void said.push(part) };
    return answers.respond(k3, { messages, options: { toolMode, ...options }, progress, token });
  };

  it("use the effort that is chosen beside the model", async () => {
    for (const effort of ["high", ""]) {
      sim.reply(text("I think."));
      await respond({ modelConfiguration: { effort } });
    }
    const sent = sim.requests.map(({ body }) => JSON.stringify(body).includes('"effort":"high"'));
    assert.deepEqual(sent, [true, false]);
    sim.done();
  });

  it("accept only the model options that their interface documents", async () => {
    const format = { type: "json_schema", name: "answer", schema: { type: "object" } };
    const shown = {
      max_output_tokens: 2_000_000,
      reasoning: { effort: "low", summary: "auto" },
      text: { format },
      prompt_cache_options: { mode: "implicit", ttl: "1h" },
    };
    // Effective only with web search, which is not offered here; and what the interface does not show.
    const others = { include: ["web_search_call.results"], temperature: 2, store: true };
    sim.reply(text("I think."));
    await respond({ modelOptions: { ...shown, ...others }, modelConfiguration: { effort: "high" } });
    const odd = {
      max_output_tokens: -1,
      reasoning: "low",
      text: "json",
      prompt_cache_options: { ttl: "1d" },
    };
    sim.reply(text("I think."));
    await respond({ modelOptions: odd });
    const sent = sim.requests.map(({ body }) =>
      [...Object.keys(shown), ...Object.keys(others)].map((field) => body[field]),
    );
    const none = [undefined, undefined, undefined];
    assert.deepEqual(sent, [
      [1_048_576, shown.reasoning, shown.text, shown.prompt_cache_options, ...none],
      [undefined, undefined, undefined, undefined, ...none],
    ]);
    sim.done();
  });

  it("are neither offered nor respond in an untrusted folder", async () => {
    const k3 = await model("svc-k3");
    isTrusted = false;
    await assert.rejects(async () => {
      for await (const _ of (await k3.sendRequest([user("What is a cart?")])).stream);
    }, /Trust this folder/);
    changed.fire();
    assert.equal((await vscode.lm.selectChatModels({ vendor: "patchbay", id: "svc-k3" })).length, 0);
    assert.equal(sim.requests.length, 0);
  });

  it("ask before a large request, and send nothing without consent", async () => {
    limit = 5;
    const over = new vscode.CancellationTokenSource();
    const waiting = respond({}, over.token);
    over.cancel();
    await waiting;
    await vscode.commands.executeCommand("notifications.clearAll");
    assert.equal(sim.requests.length, 0);
    sim.reply(text("I think."));
    let isOver = false;
    const sent = respond({}).finally(() => {
      isOver = true;
    });
    while (!isOver) await vscode.commands.executeCommand("notification.acceptPrimaryAction");
    await sent;
    assert.equal(sim.requests.length, 1);
    sim.done();
  });

  describe("what keeps them out of VS Code's chat", () => {
    const known = [
      "chat.disableAIFeatures",
      "chat.defaultModel",
      "chat.byokUtilityModelDefault",
      "chat.agentHost.byokModels.enabled",
      "chat.agentHost.allowSignedOutWhenUsable",
      "extensions.supportAgentsWindow",
    ].filter((setting) => vscode.workspace.getConfiguration().inspect(setting)?.defaultValue !== undefined);
    const readSetting = (setting: string) => vscode.workspace.getConfiguration().get(setting);
    const change = (setting: string, value: unknown) =>
      vscode.workspace.getConfiguration().update(setting, value, vscode.ConfigurationTarget.Global);
    const steps = () => chatSteps("patchbay.patchbay", builtInModels);

    // The list is the product's. Its second file is read at first use, in one piece: the bench measures that.
    before(async () => {
      await vscode.lm.invokeTool("patchbay_countTokens", {
        input: { text: "one" },
        toolInvocationToken: undefined,
      });
    });

    afterEach(async () => {
      await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
      for (const setting of known) await change(setting, undefined);
    });

    // VS Code 1.104 opens its list of models by another command, and has none of the settings.
    const hasList = async () =>
      (await vscode.commands.getCommands(true)).includes("workbench.action.chat.manage");

    it("is a step for each setting that this VS Code knows, after its list of models", async () => {
      const found = (await steps()).map(({ isDone }) => isDone === undefined);
      assert.deepEqual(found, [...((await hasList()) ? [true] : []), ...known.map(() => false)]);
    });

    it("is done step by step, and keeps what the person has set beside it", async () => {
      if (known.includes("extensions.supportAgentsWindow"))
        await change("extensions.supportAgentsWindow", { "other.extension": true });
      for (const step of await steps()) if (step.isDone === false) await step.run();
      assert.deepEqual(
        (await steps()).filter(({ isDone }) => isDone === false),
        [],
      );
      const expected: Record<string, unknown> = {
        "chat.disableAIFeatures": false,
        "chat.defaultModel": "svc-k3",
        "chat.byokUtilityModelDefault": "mainAgent",
        "chat.agentHost.byokModels.enabled": true,
        "chat.agentHost.allowSignedOutWhenUsable": true,
        "extensions.supportAgentsWindow": { "other.extension": true, "patchbay.patchbay": true },
      };
      for (const setting of known) assert.deepEqual(readSetting(setting), expected[setting], setting);
    });

    it("is shown once the setting offers them, and a step is done by Enter", async () => {
      await enable(undefined);
      await vscode.commands.executeCommand("notifications.clearAll");
      await change("chat.disableAIFeatures", true);
      await enable(true);
      const [first] = (await steps()).filter(({ isDone }) => isDone === false);
      assert(first !== undefined, "nothing is in the way");
      const isDone = async () => (await steps()).some((step) => step.label === first.label && step.isDone);
      while (!(await isDone())) {
        await vscode.commands.executeCommand("notification.acceptPrimaryAction");
        await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      }
    });

    it("leads to VS Code's list of models, where it can be opened", async () => {
      const list = (await steps()).find(({ isDone }) => isDone === undefined);
      assert.equal(list !== undefined, await hasList());
      if (list === undefined) return;
      const before = vscode.window.tabGroups.activeTabGroup.activeTab;
      const shown = activeTab((tab) => tab !== before);
      await list.run();
      assert.match((await shown).label, /Models/);
    });
  });

  it("count tokens locally, without a request", async () => {
    const k3 = await model("svc-k3");
    const tokens = await k3.countTokens("one two three four five six seven");
    assert(tokens >= 5 && tokens < 30, String(tokens));
    assert((await k3.countTokens(user("one two three"))) > 0);
    assert.equal(sim.requests.length, 0);
  });

  it("cancel the request when the caller cancels", async () => {
    const k3 = await model("svc-k3");
    sim.reply(text("One. ".repeat(50)), cutAfterEvents(8, "hang"));
    const over = new vscode.CancellationTokenSource();
    const { text: stream } = await k3.sendRequest([user("Tell me.")], {}, over.token);
    const asked = sim.requests[0];
    let pieces = 0;
    try {
      for await (const _ of stream) {
        pieces += 1;
        over.cancel();
      }
    } catch (error) {
      assert(error instanceof vscode.CancellationError || error instanceof Error);
    }
    assert(pieces > 0);
    await asked?.settled;
    assert.equal(asked?.closedByClient, true);
  });

  it("are not offered while nothing can be sent", async () => {
    problem = { kind: "no-key", message: verbatim("There is no API key."), actions: [] };
    parts[1]?.dispose();
    const found = await vscode.lm.selectChatModels({ vendor: "patchbay", id: "svc-k3" });
    assert.equal(found.length, 0);
  });
});
