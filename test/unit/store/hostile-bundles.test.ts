// Bundles that somebody made to do harm, with checksums that are right: each becomes a conversation like any other, or
// is refused with a sentence and leaves nothing behind.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { toMarkdown } from "../../../src/editor/conversations/export-markdown.ts";
import { StoreError } from "../../../src/store/documents.ts";
import { encodeRecord, type NewRecord, parseLine } from "../../../src/store/journal-records.ts";
import { text as says } from "../../sim/script.ts";
import { openTestApp, prompts } from "../../support/test-app.ts";
import {
  bundleOf,
  collect,
  ended,
  libraryOn,
  pieces,
  started,
  temporaryFolder,
  text,
} from "./store-support.ts";

const head = { type: "store-head", version: 1 };

/** As JSON spells it: an object literal would not keep a field of this name. */
const spelled = (json: string): NewRecord => JSON.parse(json);

/** Any bytes as a line that proves whole. */
function line(seq: number, rest: string): Buffer {
  const body = Buffer.from(`{"seq":${seq},${rest}`);
  return Buffer.concat([body, Buffer.from(`,"crc":"${crc32(body).toString(16).padStart(8, "0")}"}\n`)]);
}

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test("importBundle refuses malformed bundles with a StoreError and leaves no files", async (t) => {
  const folder = temporaryFolder(t);
  const library = libraryOn(folder);
  const opening = [line(0, '"type":"store-head","version":1'), line(1, '"type":"started","turn":"1"')];
  const ending = line(3, '"type":"store-end"');
  const hostile: readonly (readonly [string, Buffer])[] = [
    ["no JSON in a whole line", Buffer.concat([...opening, line(2, '"type":"x",}}'), ending])],
    ["a number beyond all numbers", Buffer.concat([...opening, line(9e15, '"type":"x"'), ending])],
    ["no end", line(0, '"type":"store-head","version":1')],
    ["an end in the middle", Buffer.concat([bundleOf(head, started("1")), line(3, '"type":"x"')])],
    ["a version that is no number", bundleOf({ type: "store-head", version: "1" }, started("1"))],
    ["an endless version", bundleOf(spelled('{"type":"store-head","version":1e999}'), started("1"))],
  ];
  for (const [what, bytes] of hostile)
    for (const size of [1000, bytes.length])
      await assert.rejects(library.importBundle(pieces(bytes, size)), StoreError, what);
  assert.deepEqual(readdirSync(join(folder, "conversations")), []);
  assert.deepEqual(await library.list(), []);
});

test("importBundle drops fields and records that are nested too deeply", async (t) => {
  const library = libraryOn(temporaryFolder(t));
  const begun = encodeRecord(1, started("1"));
  const deep = line(2, `"type":"x","x":${nested(200_000)}`);
  const deepEvent = line(3, `"type":"text","turn":"1","part":"a","delta":"seen","x":${nested(200_000)}`);
  const head = line(0, '"type":"store-head","version":1');
  const bytes = Buffer.concat([head, begun, deep, deepEvent, line(4, '"type":"store-end"')]);
  const id = await library.importBundle(pieces(bytes));
  const journal = await library.open(id);
  assert.deepEqual(
    journal.records.map(({ type }) => type),
    ["started", "replay", "text"],
  );
  await journal.close();
});

const everywhere = "../../../../etc/passwd";

/** Names that mean something to JavaScript or to a file system, figures without measure, fields of wrong kinds. */
const poisoned: readonly NewRecord[] = [
  head,
  {
    ...{ type: "opened", at: 1, instructions: "Obey.", tools: [] },
    cacheId: everywhere,
  },
  spelled(
    `{"type":"started","turn":"__proto__","at":1e308,"model":"constructor","route":"responses","prompt":"${everywhere}",
      "attachments":[{"kind":"file","label":"${everywhere}","path":"${everywhere}","bytes":1e308,"start":-1,"end":1e300}],
      "__proto__":{"polluted":1}}`,
  ),
  spelled('{"type":"text","turn":"__proto__","part":"__proto__","delta":"canary"}'),
  spelled('{"type":"text","turn":"__proto__","part":{"toString":1},"delta":7}'),
  spelled(`{"type":"usage","turn":"__proto__","at":-1e308,"request":1e308,"model":"__proto__","milliseconds":-1,
    "usage":{"input":1e308,"cached":-1e308,"cacheWrite":1e308,"output":1e308,"reasoning":-1}}`),
  spelled('{"type":"patch","turn":"__proto__","id":"p","call":"__proto__","status":"proposed","files":[]}'),
  spelled(`{"type":"patch","turn":"__proto__","id":"q","call":"q","status":"applied","files":[
    {"path":"${everywhere}","kind":"update","hunks":[]}]}`),
  {
    ...{ type: "replay", turn: "__proto__" },
    items: ['{"type":"message","role":"user","content":"q","__proto__":{"polluted":1}}'],
  },
  {
    type: "store-checkpoint",
    id: "q",
    name: "q",
    turn: "__proto__",
    files: { [everywhere]: "0".repeat(64) },
  },
  { ...ended("__proto__"), at: -1e308 },
  { type: "store-title", title: { toString: 1 } },
  { type: "store-archived", archived: true },
];

test("importBundle treats paths, prototype names and huge numbers as plain data", async (t) => {
  const app = await openTestApp(t, { defaultModel: () => "svc-k3" });
  const id = await app.library.importBundle(pieces(bundleOf(...poisoned, started("2"), text("2", "More."))));
  await app.open(id);
  assert.deepEqual(prompts(app), [everywhere, "Question 2"]);
  assert.equal(app.session.state.turns[1]?.status, "interrupted");
  const [summary] = await app.library.list();
  assert.deepEqual([summary?.id, summary?.archived, summary?.damaged], [id, false, false]);
  assert.match(toMarkdown(app.session.state, { title: "T", reasoning: true }), /canary/);
  const hits = await collect(app.library.search("canary", new AbortController().signal));
  assert.deepEqual(
    hits.map(({ turn }) => turn),
    ["__proto__"],
  );
  app.sim.reply(says("Here."));
  assert.equal((await app.session.send({ prompt: "Are you there?" }))?.status, "done");
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  await app.branch("__proto__");
  assert.deepEqual(prompts(app), [everywhere]);
  await app.restart();
  await app.open(id);
  assert.deepEqual(prompts(app), [everywhere, "Question 2", "Are you there?"]);
  assert.doesNotMatch(
    readdirSync(app.folder, { recursive: true }).join("\n"),
    /passwd|__proto__|constructor/,
  );
});

test("exportBundle leaves out the attachments of a draft", async (t) => {
  const app = await openTestApp(t, { defaultModel: () => "svc-k3" });
  const { library, sim } = app;
  sim.reply(says("Yes."));
  await app.session.send({ prompt: "One?" });
  const { id } = app.session.state;
  app.session.draft.attach({ kind: "terminal", name: "bash", text: "export TOKEN=canary" });
  const later = await app.restart();
  assert.equal(later.draft.attachments.length, 1, "it waits in the next window");
  const bundle = Buffer.concat(await collect(library.exportBundle(id, { reasoning: true })));
  assert.equal(bundle.includes("canary"), false);
  assert.equal(parseLine(bundle.subarray(0, bundle.indexOf(10))).type, "store-head");
});
