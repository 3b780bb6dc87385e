// VS Code's own chat, answered by our models: what a person sees and what the service gets, when all goes well and when
// something goes wrong.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cutAfterEvents, holdBefore } from "../sim/delivery-faults.ts";
import { status } from "../sim/http-answers.ts";
import { isObject, listAt, stringAt } from "../sim/json.ts";
import type { SeenRequest } from "../sim/request-log.ts";
import { form, reasoning, text } from "../sim/script.ts";
import type { Simulator } from "../sim/simulator.ts";
import { asked } from "./support/asked.ts";
import { holds } from "./support/insist.ts";
import { showList } from "./support/tree.ts";
import type { VsCode } from "./support/vscode.ts";
import { askInline, openVscodeChat, vscodeChatSettings as settings } from "./support/vscode-chat.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const editorOf = ({ page }: VsCode, path: string) =>
  page.locator(`.monaco-editor[data-uri$="${path}"]`).first();

const onDisk = ({ workspace }: VsCode, path: string) => readFileSync(join(workspace, path), "utf8");

/** Names and arguments of the calls that the service has made in this request's conversation. */
const callsIn = ({ body }: SeenRequest) =>
  listAt(body, "input").flatMap((item) =>
    isObject(item) && item["type"] === "function_call"
      ? [
          {
            name: item["name"],
            args: JSON.parse(stringAt(item, "arguments") ?? "") as Record<string, unknown>,
          },
        ]
      : [],
  );

const lastOf = ({ requests }: Simulator): SeenRequest => {
  const request = requests.at(-1);
  assert(request !== undefined, "nothing was sent");
  return request;
};

vscodeTest(
  "VS Code's chat responds with our model, reads a file with its own tool, fills its ring and appears in Usage",
  { settings, assistant: true, isNotInOldest: true },
  async (vscode, sim) => {
    const chat = await openVscodeChat(vscode, sim);
    await chat.ask("What does src/cart.ts do?");
    await chat.ended("The heart of it is total");
    // Explained from the file itself.
    await chat.answer.getByText("defines one type and 2 functions").waitFor();
    await chat.ring.and(vscode.page.getByRole("button", { name: /: [1-9]\d*%$/ })).waitFor();
    await vscode.screenshot("vscode-chat-asked");

    const first = asked(sim)[0];
    assert(first !== undefined);
    assert.equal(first.authorized, true);
    assert.ok(listAt(first.body, "tools").length > 20);
    assert.deepEqual(
      callsIn(lastOf(sim)).map(({ name, args }) => [name, args["filePath"]]),
      [["read_file", join(vscode.workspace, "src/cart.ts")]],
    );
    // What came before is sent as it was: the cache holds it.
    assert.deepEqual(
      listAt(lastOf(sim).body, "input").slice(0, listAt(first.body, "input").length),
      listAt(first.body, "input"),
    );
    assert.equal(lastOf(sim).body["prompt_cache_key"], first.body["prompt_cache_key"]);

    await vscode.command("Patchbay: Show Usage");
    const usage = await showList(vscode, "Usage");
    await usage
      .getByRole("treeitem", { name: /^VS Code's chat and other extensions\. .*\d/ })
      .first()
      .waitFor();
  },
);

vscodeTest(
  "an edit in VS Code's chat appears in the file with its reasoning, stays if kept and disappears if undone",
  { settings, assistant: true, isNotInOldest: true },
  async (vscode, sim) => {
    const before = onDisk(vscode, "src/discount.ts");
    const fixed = before.replace("quantity > bulk", "quantity >= bulk");
    const chat = await openVscodeChat(vscode, sim);
    await vscode.openFile("src/discount.ts");
    const editor = editorOf(vscode, "src/discount.ts");

    await chat.ask("Fix the bug in src/discount.ts");
    await chat.ended("Done. Line 8 compares with >=");
    const { name, args } = callsIn(lastOf(sim)).at(-1) ?? {};
    assert.equal(name, "replace_string_in_file");
    assert.equal(before.replace(String(args?.["oldString"]), String(args?.["newString"])), fixed);
    await editor.getByText("line.quantity >= bulkQuantity").waitFor();
    await chat.edits.getByText("1 file changed").waitFor();
    await chat.showThought("Reading the request");
    await chat.answer.getByText("I have to see the file before I change it.").waitFor();
    await vscode.screenshot("vscode-chat-edited");
    await chat.keepEdits();
    await holds(vscode, "src/discount.ts", fixed);

    const earlier = lastOf(sim);
    await chat.ask("Rename bulkRate to rate in src/discount.ts");
    await chat.ended("Done. bulkRate is called rate");
    // A second question of the conversation begins with all of the first, thoughts included: the cache holds it.
    const input = listAt(earlier.body, "input");
    assert.deepEqual(listAt(lastOf(sim).body, "input").slice(0, input.length), input);
    assert.deepEqual(lastOf(sim).body["tools"], earlier.body["tools"]);
    await editor.getByText("const rate = 0.1;").waitFor();
    await chat.undoEdits();
    await editor.getByText("const bulkRate = 0.1;").waitFor();
    await holds(vscode, "src/discount.ts", fixed);
  },
);

vscodeTest(
  "a model whose interface has no tools can edit in VS Code's chat",
  { settings, assistant: true, isNotInOldest: true },
  async (vscode, sim) => {
    const before = onDisk(vscode, "src/discount.ts");
    const chat = await openVscodeChat(vscode, sim, "K2.6");
    await vscode.openFile("src/discount.ts");
    await chat.ask("Fix the bug in src/discount.ts");
    await chat.ended("Done. Line 8 compares with >=");
    await editorOf(vscode, "src/discount.ts").getByText("line.quantity >= bulkQuantity").waitFor();
    await chat.keepEdits();
    await holds(vscode, "src/discount.ts", before.replace("quantity > bulk", "quantity >= bulk"));
    assert.deepEqual(
      asked(sim).map(({ operation, body }) => [operation, body["model"], body["tools"]]),
      asked(sim).map(() => ["chat", "svc-k2.6", undefined]),
    );
    assert.ok(asked(sim).length > 2);
  },
);

vscodeTest(
  "inline chat writes into the editor with our model, and the edit can be kept or discarded",
  { settings, assistant: true, isNotInOldest: true },
  async (vscode, sim) => {
    const { page } = vscode;
    const before = onDisk(vscode, "src/discount.ts");
    await openVscodeChat(vscode, sim);
    await vscode.openFile("src/discount.ts");
    const fixed = editorOf(vscode, "src/discount.ts").getByText("line.quantity >= bulkQuantity");

    const first = await askInline(vscode, "Fix the bug");
    await fixed.waitFor();
    const [request] = asked(sim);
    assert(request !== undefined);
    // It is given the file and one tool that edits, and has one turn.
    assert.equal(asked(sim).length, 1);
    assert.deepEqual(
      listAt(request.body, "tools").map((tool) => isObject(tool) && tool["name"]),
      ["replace_string_in_file"],
    );
    assert.match(JSON.stringify(request.body["input"]), /line\.quantity > bulkQuantity/);
    await first.close();
    await fixed.waitFor({ state: "hidden" });
    assert.equal(onDisk(vscode, "src/discount.ts"), before);

    const second = await askInline(vscode, "Fix the bug");
    await fixed.waitFor();
    await vscode.screenshot("vscode-chat-inline");
    await second.keep();
    await page.locator(".tab.active:not(.dirty)").waitFor();
    await holds(vscode, "src/discount.ts", before.replace("quantity > bulk", "quantity >= bulk"));
  },
);

vscodeTest(
  "a failure in VS Code's chat shows one sentence, keeps the text before it and can be retried",
  { settings, isNotInOldest: true },
  async (vscode, sim) => {
    const chat = await openVscodeChat(vscode, sim);
    const busy = status(429, { message: "Too many requests.", type: "rate_limit_reached_error" });
    const statuses = () => asked(sim).map((request) => request.status);

    // Asked again by us, without a word.
    sim.fault(busy);
    sim.reply(text("It was my turn at last."));
    await chat.ask("Wait for your turn");
    await chat.ended("It was my turn at last.");
    assert.deepEqual(statuses(), [429, 200]);

    for (const _ of Array(3)) sim.fault(busy);
    await chat.ask("Wait for ever");
    await chat.ended("Reason: Too many requests.");
    assert.deepEqual(statuses(), [429, 200, 429, 429, 429]);

    sim.fault(status(401, { message: "Incorrect API key provided.", type: "authentication_error" }));
    await chat.ask("Open the door");
    await chat.ended("Reason: The API key wasn't accepted. To change the key, run");
    await vscode.screenshot("vscode-chat-refused");
    // No stack, no file of ours.
    assert.doesNotMatch(await chat.answer.innerText(), /\.js|\bat \w/);
    sim.reply(text("The door is open."));
    await chat.tryAgain();
    await chat.ended("The door is open.");

    const end = holdBefore(12);
    sim.reply(text("This answer begins well and ends in the middle of something"), cutAfterEvents(14), end);
    await chat.ask("Lose your connection");
    await chat.answer.getByText("This answer begins").waitFor();
    end.release();
    await chat.ended("Reason: The connection ended before the reply was complete.");
    await chat.answer.getByText("This answer begins").waitFor();

    sim.reply(reasoning("I think, and say nothing."), text(""));
    await chat.ask("Say nothing");
    await chat.ended("Reason: The service returned an empty response.");
  },
);

vscodeTest(
  "a response cancelled in VS Code's chat ends at the service and keeps the text received so far",
  { settings, isNotInOldest: true },
  async (vscode, sim) => {
    const chat = await openVscodeChat(vscode, sim);
    // It goes on for long, and would end by itself.
    sim.reply(form({ pace: 100 }), text(`The first words. ${"And more of them. ".repeat(100)}`));
    await chat.ask("Tell me everything");
    await chat.answer.getByText("The first words.").waitFor();
    await chat.stop();
    const request = lastOf(sim);
    await request.settled;
    assert.equal(request.closedByClient, true);
    await chat.ended("The first words.");
    assert.equal(asked(sim).length, 1);
  },
);

vscodeTest(
  "the effort chosen beside the model in VS Code's chat is sent with the next question",
  { settings, isNotInOldest: true },
  async (vscode, sim) => {
    const chat = await openVscodeChat(vscode, sim);
    const efforts: unknown[] = [];
    for (const name of ["High", "Automatic"]) {
      await chat.chooseEffort(name);
      sim.reply(text(`I think: ${name}.`));
      await chat.ask(`Think: ${name}`);
      await chat.ended(`I think: ${name}.`);
      efforts.push(lastOf(sim).body["reasoning"]);
      await vscode.screenshot(`vscode-chat-effort-${name}`);
    }
    assert.deepEqual(efforts, [{ effort: "high" }, undefined]);
  },
);

vscodeTest(
  "offering our models while VS Code's AI features are off shows the step that turns them on",
  {},
  async (vscode) => {
    const { page } = vscode;
    const name = "patchbay.languageModel.enabled";
    await vscode.command("Preferences: Open Settings (UI)");
    const search = page.locator(".settings-editor .suggest-input-container");
    await search.locator(".monaco-editor.focused").waitFor();
    await page.keyboard.insertText(name);
    const box = page.locator(`.settings-editor .setting-value-checkbox[aria-label="${name}"]`);
    const isOn = (is: boolean) => box.and(page.locator(`[aria-checked="${is}"]`));
    await isOn(false).click();
    await page.getByRole("button", { name: "Show Steps…" }).click();
    await page.getByRole("option", { name: /Turn on VS Code's chat/ }).waitFor();
    await vscode.screenshot("vscode-chat-off");
    await page.keyboard.press("Escape");
    // The window is another test's next.
    await isOn(true).click();
    await isOn(false).waitFor();
  },
);
