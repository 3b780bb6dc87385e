// The process that is killed: a real session on the real store, which asks, patches, accepts and takes back without
// end. It kills itself in the phase it was told, so that even a window of microseconds is hit; the kernel does not
// tell a SIGKILL of its own from anybody else's. What it says on stdout it has promised.
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { noWorkspace, type Workspace } from "../../../src/files/workspace.ts";
import { applyEdits } from "../../../src/patch/edits.ts";
import { defaultPathInfo } from "../../../src/patch/model.ts";
import { createServiceClient } from "../../../src/service/service-client.ts";
import { conversationStore } from "../../../src/session/conversation-store.ts";
import { importVisible } from "../../../src/session/internal/sanitize-import.ts";
import { defaultConversationSettings } from "../../../src/session/session-context.ts";
import { type FileSystem, nodeFileSystem, type OpenFile } from "../../../src/store/file-system.ts";
import { createLibrary } from "../../../src/store/library.ts";
import { silentLog } from "../../../src/util/log.ts";
import { patchesIn, rowsTold, turnPatch } from "../../support/decide-patches.ts";
import { showLatest } from "../../support/test-app.ts";
import type { KillOrder, Phase, Promised } from "./kill-order.ts";

const order: KillOrder = JSON.parse(process.argv[2] ?? "");
let toPass = order.pass;

/** Nothing happens after this line in the phase that was ordered. */
function reach(phase: Phase): void {
  if (phase !== order.phase || toPass-- > 0) return;
  const die = () => {
    process.kill(process.pid, "SIGKILL");
    for (;;);
  };
  if (order.delay === 0) die();
  else setTimeout(die, order.delay);
}

const promise = (promised: Promised): void => void writeSync(1, `${JSON.stringify(promised)}\n`);

const fs: FileSystem = {
  ...nodeFileSystem,
  async open(path, mode) {
    const file = await nodeFileSystem.open(path, mode);
    if (mode === "append" && path.endsWith("log.jsonl")) return dangerousAppend(file);
    if (mode === "create" && /(draft|attached|sent)\.json/.test(path)) return dangerousWrite(file, "draft");
    if (mode === "create" && isOfChanges(path)) return dangerousWrite(file, "changes");
    return mode === "create" && path.includes("log.jsonl") ? dangerousWrite(file, "compaction") : file;
  },
  async rename(from, to) {
    const journal = to.endsWith("log.jsonl");
    if (isOfChanges(to)) reach("changes");
    if (journal) reach("rename");
    await nodeFileSystem.rename(from, to);
    if (journal) reach("renamed");
    if (isOfChanges(to)) reach("changes");
  },
};

const isOfChanges = (path: string): boolean => /[\\/]changes(-[0-9a-f]+\.json|[\\/])/.test(path);

const inHalves = async (file: OpenFile, bytes: Uint8Array, phase: Phase) => {
  await file.write(bytes.subarray(0, bytes.length >> 1));
  reach(phase);
  await file.write(bytes.subarray(bytes.length >> 1));
};

const dangerousAppend = (file: OpenFile): OpenFile => ({
  ...file,
  async write(bytes) {
    if (Buffer.from(bytes).includes('"type":"ended"')) reach("end record");
    await inHalves(file, bytes, "append");
  },
  async sync() {
    reach("sync");
    await file.sync();
  },
});

const dangerousWrite = (file: OpenFile, phase: Phase): OpenFile => ({
  ...file,
  write: (bytes) => inHalves(file, bytes, phase),
});

const onDisk = (path: string) => join(order.workspace, path);
const read = (path: string): string => (existsSync(onDisk(path)) ? readFileSync(onDisk(path), "utf8") : "");

/** One folder, flat. What the model's patches change is the file that the test looks at afterwards. */
const workspace: Workspace = {
  ...noWorkspace,
  trusted: true,
  folders: ["work"],
  list: async () => [],
  look: async ({ path }) => ({
    ...defaultPathInfo,
    kind: existsSync(onDisk(path)) ? "file" : "nothing",
    real: path,
    bytes: read(path).length,
  }),
  read: async ({ path }) => ({ kind: "text", text: read(path), version: 1 }),
  sha256: (text) => createHash("sha256").update(text).digest("hex"),
  async apply(changes, _label, purpose) {
    const phase = purpose === "undo" ? "undo" : "apply";
    reach(phase);
    for (const change of changes)
      if (change.kind === "update")
        writeFileSync(onDisk(change.file.path), applyEdits(change.base.text, change.edits));
    reach(phase);
    return { outcome: "applied" };
  },
};

const library = createLibrary({
  ...{ fs, folder: order.folder, place: "" },
  now: Date.now,
  arriving: importVisible,
});
const client = createServiceClient({
  async connection() {
    reach("before send");
    return { baseUrl: order.url, key: order.key };
  },
  settings: () => ({}),
  log: silentLog,
});
const { session } = await showLatest({
  ...{
    client,
    workspace,
    store: conversationStore(library),
    log: silentLog,
    now: Date.now,
    newId: randomUUID,
  },
  settings: () => defaultConversationSettings,
  defaultModel: () => "svc-k3",
});

let deltas = 0;
session.onEvent((event) => {
  if (event.type === "started") deltas = 0;
  else if (event.type === "text") reach(deltas++ === 0 ? "first byte" : "mid-stream");
});

async function ask(prompt: string): Promise<void> {
  const turn = await session.send({ prompt }, () => promise({ what: "sent", prompt }));
  if (turn === undefined) return;
  const { id, status } = turn;
  const said = turn.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  promise({ what: "turn", id, status, prompt, said });
}

/** Resolves when the next turn is over. */
const nextEnd = (): Promise<void> =>
  new Promise((resolve) => {
    const listening = session.onEvent(({ type }) => {
      if (type !== "ended") return;
      listening.dispose();
      setImmediate(resolve);
    });
  });

/** A question asked again: what was promised of its first answer no longer holds. */
async function askAgain(): Promise<void> {
  const last = session.state.turns.at(-1);
  if (last === undefined) return;
  promise({ what: "cut", id: last.id });
  const over = nextEnd();
  void session.retry("regenerate", last.id);
  await over;
}

/** What a person does who comes back to a turn that was cut off. */
async function takeUp(): Promise<void> {
  if (session.state.turns.at(-1)?.status !== "interrupted") return;
  const over = nextEnd();
  void session.retry("retry");
  await over;
}

const { changes } = session.patches;
const decider = { changes, onEvent: session.onEvent };
const rows = () => patchesIn(session.state.turns);

/** All that waits, of this life and of those before it. */
async function acceptAll(): Promise<void> {
  await changes.refresh();
  const waiting = rows().filter(({ call }) => [...changes.statusesOf(call).values()].includes("pending"));
  if (waiting.length === 0) return;
  for (const { call } of waiting) promise({ what: "deciding", call });
  const done = await changes.accept(changes.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id)));
  if (done.outcome !== "done") throw new Error(`What waits was ${done.outcome}.`);
  await rowsTold(() => session.state.turns, changes);
  await session.flush();
  for (const { call } of waiting) promise({ what: "accepted", call });
}

/** The newest is taken back; where an earlier life was in the middle of that, it is taken back now. */
async function undoLast(): Promise<void> {
  const call = rows().findLast(({ call }) =>
    [...changes.statusesOf(call).values()].includes("applied"),
  )?.call;
  if (call === undefined) return;
  promise({ what: "deciding", call });
  await turnPatch(decider, call, "undo");
  await session.flush();
  promise({ what: "undone", call });
}

async function writeDraft(text: string): Promise<void> {
  // Whatever has come back into the box is written over.
  promise({ what: "emptied" });
  session.draft.write(text);
  await session.draft.settle();
  const journal = await library.open(session.id);
  await journal.writeAttached(text);
  promise({ what: "draft", text });
  await journal.close();
}

await takeUp();
await acceptAll();
for (let step = 0; ; step += 1) {
  const round = `${order.number}.${step}`;
  for (const part of ["a", "b"]) {
    await ask(`patch ${round}${part}`);
    const call = rows().at(-1)?.call;
    if (call !== undefined) promise({ what: "proposed", call, line: `patch ${round}${part}` });
  }
  await ask(`say ${round}`);
  await askAgain();
  await acceptAll();
  await undoLast();
  await writeDraft(`draft ${round}`);
}
