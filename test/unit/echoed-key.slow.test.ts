// A service that says the key itself, by every way there is to say it and with every fault: afterwards no file of the
// product, of the workspace or of the log holds it, nor does what a person can export or look at.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { toMarkdown } from "../../src/editor/conversations/export-markdown.ts";
import type { Service } from "../../src/host/services.ts";
import { answerOf, curlOf } from "../../src/inspect/internal/edit-and-compare.ts";
import type { Log } from "../../src/util/log.ts";
import { cutAfterEvents, insertBefore, splitEvery, withHeader } from "../sim/delivery-faults.ts";
import { htmlPage, json, raw, redirect, status } from "../sim/http-answers.ts";
import {
  call,
  cite,
  errorEvent,
  failed,
  incomplete,
  item,
  message,
  type Part,
  patchCall,
  reasoning,
  refusal,
  search,
  text,
} from "../sim/script.ts";
import { startSimulator } from "../sim/simulator.ts";
import { createFolderWorkspace } from "../support/folder-workspace.ts";
import { ownFolder } from "../support/one-test.ts";
import { openWholeService } from "../support/whole-service.ts";

const key = "sk-canary/0123456789-abcdefghijklmnop";
const patch = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch", ""].join("\n");
const said = `The key is ${key}, is it not?`;
const url = `https://a.example/?key=${key}`;

/** Each reply of a turn; more than one where the first is asked again or calls a tool. */
const turns: Readonly<Record<string, readonly (readonly Part[])[]>> = {
  "a text": [[text(said)]],
  "a text, byte by byte": [[text(said), splitEvery(1)]],
  "a text that is cut": [[text(`${said} ${"and so on ".repeat(200)}`), cutAfterEvents(40)]],
  "a text that ends early": [[text(said), incomplete()]],
  "a citation": [[text("There.", cite(url, key, "There"))]],
  "a refusal": [[refusal(said)]],
  reasoning: [[reasoning(said), text("Yes.")]],
  "raw reasoning": [[reasoning({ raw: said }), text("Yes.")]],
  "encrypted content": [[reasoning({ encrypted: key }), text("Yes.")]],
  "a search": [[search(key, [{ url, title: key }], [{ url, text: key }]), text("Yes.")]],
  "arguments of a tool": [[call("read_file", { path: `${key}.ts` })], [text("Yes.")]],
  "the name of a tool": [
    [call(key.replace("/", "-"), {}), call("search_text", { query: key })],
    [text("Yes.")],
  ],
  "a patch": [[patchCall(patch("*** Add File: b.ts", `+const a = "${key}";`))], [text("Yes.")]],
  "a patch that does not fit": [
    [patchCall(patch("*** Update File: a.ts", "@@", `-${key}`, "+x"))],
    [text("Yes.")],
  ],
  "an item of an unknown kind": [[item({ type: "what_is_this", id: "i", key }), text("Yes.")]],
  "several texts": [[message({ kind: "text", text: said, citations: [] }, { kind: "refusal", text: said })]],
  "a failure": [[failed(said)]],
  "an error in the stream": [[text("Yes"), errorEvent(said, key)]],
  "an error": [[status(402, { message: said, type: key, code: key, param: key })]],
  "no access": [[status(401, { message: `Incorrect API key provided: ${key}.` })]],
  "an error's headers": [[status(403, { message: said, retryAfter: key, headers: { "x-request-id": key } })]],
  "a page": [[htmlPage(404, said)]],
  "a redirect": [[redirect(`/${key}`)]],
  headers: [[text("Yes."), withHeader("x-request-id", key), withHeader("svc-request-signature", key)]],
  "something else": [[raw(`what is ${key}\n\n`)]],
  "JSON of another kind": [[json({ what: key })]],
  "a record that is none": [[text("Yes."), insertBefore(2, `data: {"type": "${key}", \n\n`)]],
  "a comment": [[text("Yes."), insertBefore(2, `: ${key}\n\n`)]],
};

/** Files below a folder that hold the key. What is renamed while they are read is looked for again. */
function holding(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
      const path = join(folder, name);
      return name.includes("sk-canary") || (statSync(path).isFile() && readFileSync(path).includes(key));
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return holding(folder);
  }
}

async function bundleOf({ library }: Service, id: string): Promise<string> {
  const bundle: Uint8Array[] = [];
  for await (const bytes of library.exportBundle(id, { reasoning: true })) bundle.push(bytes);
  return Buffer.concat(bundle).toString("utf8");
}

/** Of each request of a turn all that the inspector shows, copies for a shell or sends again, and of its reply. */
async function inspected({ exchanges, client }: Service, turn: string): Promise<string[]> {
  const found = exchanges.of(turn);
  assert.notEqual(found.length, 0);
  const shown = found.map(async ({ sent, ...exchange }) => {
    const composed = await client.compose(exchange);
    assert.ok("body" in composed);
    const answer = answerOf(exchange.reply.items.map(({ raw }) => raw));
    return [JSON.stringify(exchange), sent?.() ?? "", composed.body, curlOf(composed, ""), answer];
  });
  return (await Promise.all(shown)).flat();
}

test("a key echoed by the service reaches no file, export or inspector text", async (t) => {
  const folder = ownFolder(t, "echo");
  const workspace = createFolderWorkspace();
  workspace.write("work/a.ts", "one\n");
  const sim = await startSimulator({ key });
  t.after(() => sim.close());
  const lines: string[] = [];
  const write = (words: string, cause?: unknown) => void lines.push(`${words} ${String(cause)}`);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const service = await openWholeService({
    folder,
    sim,
    workspace,
    log,
    settings: {
      service: () => ({ trace: "bodies", idleSeconds: 1 }),
    },
  });
  const { session } = service.surfaces;
  session.onEvent((event) => {
    if (
      (event.type === "patch" && event.status === "proposed") ||
      (event.type === "tool" && event.status === "asked")
    )
      session.decide(event.call, { kind: "accept" });
  });
  for (const [name, replies] of Object.entries(turns))
    await t.test(name, async () => {
      for (const reply of replies) sim.reply(...reply);
      await session.send({ prompt: "Go on." });
      await session.flush();
      await service.ledgers.flush();
      writeFileSync(join(folder, "log.txt"), lines.join("\n"));
      assert.deepEqual(holding(folder), []);
      assert.deepEqual(holding(workspace.root), []);
      assert.ok(!sim.complaints.some((complaint) => complaint.startsWith("Nothing is scripted")), name);
      const shown = [
        toMarkdown(session.state, { title: "", reasoning: true }),
        JSON.stringify(session.state),
        await bundleOf(service, session.id),
        ...(await inspected(service, session.state.turns.at(-1)?.id ?? "")),
      ];
      for (const words of shown) assert.ok(!words.includes(key));
    });
});
