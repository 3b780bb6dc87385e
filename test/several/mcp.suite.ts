// Tools of a real MCP server that a folder configures for VS Code: off until they are chosen for a conversation, each
// with its own permission, under the name of where they come from; what goes wrong is for the model to read.
import { strict as assert } from "node:assert";
import { join } from "node:path";
import * as vscode from "vscode";
import { createHostTools } from "../../src/tools/editor/vscode-tools.ts";
import { silentLog } from "../../src/util/log.ts";
import { openReview, type TestReview } from "../host/support/review-fixture.ts";
import { call, text } from "../sim/script.ts";

/** As VS Code names what the first folder's `.vscode/mcp.json` configures. */
const server = "mcp.config.ws0.small";
const hostTools = createHostTools(silentLog);

describe("tools of an MCP server", () => {
  let review: TestReview;

  const known = () => hostTools().filter(({ name }) => /say_again|fail_politely|break/.test(name));

  before(async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert(folder !== undefined);
    const { extensionPath = "" } = vscode.extensions.getExtension("patchbay.patchbay") ?? {};
    const program = join(extensionPath, "test/fixtures/mcp-server/server.mjs");
    const servers = { small: { type: "stdio", command: process.execPath, args: [program] } };
    const uri = vscode.Uri.joinPath(folder, ".vscode", "mcp.json");
    await vscode.workspace.fs.writeFile(uri, Buffer.from(JSON.stringify({ servers })));
    // VS Code reads the file in its own time, and says to nobody when it has.
    while (known().length < 3)
      await vscode.commands.executeCommand("workbench.mcp.startServer", server, { autoTrustChanges: true });
  });

  beforeEach(async () => {
    review = await openReview();
  });

  afterEach(() => review.close());

  const offered = () => JSON.stringify(review.sim.requests.at(-1)?.body["tools"]);
  const named = (word: string) => {
    const tool = known().find(({ name }) => name.includes(word));
    assert(tool !== undefined, word);
    return tool;
  };
  const choose = (permission: "auto" | "ask", ...words: string[]) =>
    review.session.choices.chooseTools(
      Object.fromEntries(words.map(named).map(({ namespace, name }) => [`${namespace}/${name}`, permission])),
    );
  async function run(word: string, input: Record<string, string>): Promise<string> {
    const { name, namespace } = named(word);
    review.sim.reply(call(name, input, { namespace }));
    review.sim.reply(text("I see."));
    await review.session.send({ prompt: "Use it." });
    const outputs = review.sim.requests.at(-1)?.body["input"] as { output?: string }[];
    return outputs.flatMap(({ output }) => output ?? []).at(-1) ?? "";
  }

  it("share one namespace, and are neither offered nor run until they are chosen", async () => {
    assert.deepEqual([...new Set(known().map(({ namespace }) => namespace))], ["mcp"]);
    assert.match(await run("say_again", { words: "hi" }), /switched .* off/);
    assert.doesNotMatch(offered(), /say_again|fail_politely/);
  });

  it("run only when chosen, and only in this conversation", async () => {
    choose("auto", "say_again");
    assert.match(await run("say_again", { words: "hi" }), /It said: hi/);
    assert.match(offered(), /say_again/);
    assert.doesNotMatch(offered(), /fail_politely/);
    await review.newConversation();
    assert.match(await run("say_again", { words: "hi" }), /switched .* off/);
  });

  it("ask each time when their permission says so", async () => {
    choose("ask", "say_again");
    const asked = new Promise<string>((resolve) => {
      review.session.onEvent((event) => {
        if (event.type === "tool" && event.status === "asked") resolve(event.call);
      });
    });
    const told = run("say_again", { words: "hi" });
    review.session.decide(await asked, { kind: "reject", reason: "not now" });
    assert.match(await told, /declined this call\. They said: not now/);
  });

  it("report their failures to the model", async () => {
    choose("auto", "fail_politely", "break", "say_again");
    assert.match(await run("fail_politely", {}), /No paper/);
    assert.match(await run("break", {}), /failed|broken/);
    assert.match(await run("say_again", { words: "still here" }), /It said: still here/);
  });
});
