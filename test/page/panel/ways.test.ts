// The first two walks of src/README.md, walked: which files a question passes from Enter to the request, and a piece of the
// answer from the network to the text on the page. What is drawn there is what happens.
import assert from "node:assert/strict";
import diagnostics from "node:diagnostics_channel";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock, type TestContext, test } from "node:test";
import type { PageHostDeps } from "../../../src/host/page-host.ts";
import { ChunkQueue } from "../../../src/service/internal/byte-stream.ts";
import { holdBefore } from "../../sim/delivery-faults.ts";
import { text } from "../../sim/script.ts";
import { startSimulator } from "../../sim/simulator.ts";
import { createFolderWorkspace } from "../../support/folder-workspace.ts";
import { pageSettings } from "../../support/whole-page.ts";
import { openWholeService } from "../../support/whole-service.ts";
import { type Cause, causesHere, causesIn, pageNotes } from "./support/causes.ts";
import { openPanel } from "./support/panel.ts";

const word = "canary";
const maxFiles = { question: 10, delta: 16 };
const maxRounds = 4;

interface Ways {
  /** Each from its beginning to its end. */
  readonly question: readonly Cause[];
  readonly delta: readonly Cause[];
}

test("a question and a delta pass exactly the files drawn in src/README.md, none of which merely forwards", async (t) => {
  const ways = await walk(t);
  const [questionDrawn, deltaDrawn] = drawn();
  assert.deepEqual(filesOf(ways.question), questionDrawn);
  assert.deepEqual(filesOf(ways.delta), deltaDrawn);
  const both = [...ways.question, ...ways.delta];
  assert.ok(filesOf(ways.question).length <= maxFiles.question, `${filesOf(ways.question).length} files`);
  assert.ok(filesOf(ways.delta).length <= maxFiles.delta, `${filesOf(ways.delta).length} files`);
  for (const file of filesOf(both))
    assert.ok(both.filter((cause) => cause.file === file).some(doesSomething), `${file} only hands on`);
});

async function walk(t: TestContext): Promise<Ways> {
  const sim = await startSimulator();
  const folder = mkdtempSync(join(tmpdir(), "patchbay-ways-"));
  const here = await causesHere();
  const editor = { attachKinds: [], starters: [], setFocus() {} } as unknown as PageHostDeps["editor"];
  const settings = pageSettings;
  const service = await openWholeService({
    folder,
    sim,
    workspace: createFolderWorkspace(),
    settings,
    editor,
  });
  const panel = await openPanel({
    connect: ({ post, onMessage }) =>
      service.surfaces.openPage({
        onMessage,
        post(message) {
          if (message.type === "events" && JSON.stringify(message).includes(word)) here.note("posted");
          post(message);
        },
      }),
  });
  const inPage = await causesIn(panel.page);
  await pageNotes(panel.page, "send", word);
  const heard = (message: unknown) => {
    const { request } = message as { readonly request: { readonly path: string } };
    if (request.path.endsWith("/responses")) here.note("requested");
  };
  diagnostics.subscribe("undici:request:create", heard);
  const { next } = ChunkQueue.prototype;
  const reading = mock.method(ChunkQueue.prototype, "next", function (this: ChunkQueue, within?: number) {
    here.note("read");
    return next.call(this, within);
  });
  t.after(async () => {
    reading.mock.restore();
    diagnostics.unsubscribe("undici:request:create", heard);
    await Promise.all([here.stop(), inPage.stop()]);
    await panel.close();
    await service.close();
    await sim.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const isWhole = () => here.of("posted").some((causes) => upToTurn(causes).length > 0);
  // On a busy machine the piece may share a frame with something that came by another way: then once more.
  for (let round = 0; round < maxRounds && !isWhole(); round++) {
    // What is told before it has arrived, so that it comes by itself and is joined with nothing that something else caused.
    const hold = holdBefore(4);
    sim.reply(text(`A ${word} sings.`), hold);
    await panel.page.getByRole("textbox").fill("Who sings?");
    await panel.page.keyboard.press("Enter");
    await panel.page.getByRole("button", { name: "Stop" }).waitFor();
    await panel.settled();
    hold.release();
    await panel.page.getByText(word).nth(round).waitFor();
    await panel.page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    await panel.settled();
  }

  const sent = [...(inPage.of("send")[0] ?? [])].reverse();
  const requested = [...(here.of("requested")[0] ?? [])].reverse();
  // What reads the bytes hands them on to whoever waits for it, up to the turn.
  const [read = []] = [...here.of("read")]
    .map(upToTurn)
    .sort((a, b) => filesOf(b).length - filesOf(a).length);
  const [posted = []] = here
    .of("posted")
    .map(upToTurn)
    .filter((causes) => causes.length > 0);
  const told = [...posted].reverse();
  const shown = [...(inPage.of(word)[0] ?? [])].reverse();
  return { question: [...sent, ...requested], delta: [...read, ...told, ...shown] };
}

/** Behind it stands only why the question was asked. */
function upToTurn(causes: readonly Cause[]): readonly Cause[] {
  const turn = causes.findIndex(({ file }) => file === "session/internal/run-turn.ts");
  return turn < 0 ? [] : causes.slice(0, turn + 1);
}

/** Emitters and timers carry anything; how a text is drawn is the renderer's own business behind its view. */
const isOnTheWay = (file: string): boolean =>
  !file.startsWith("util/") &&
  (!file.startsWith("page/markdown/") || file === "page/markdown/markdown-view.ts");

const filesOf = (way: readonly Cause[]): string[] => [
  ...new Set(way.map(({ file }) => file).filter(isOnTheWay)),
];

/** The files of both pictures, in their order. */
function drawn(): string[][] {
  const [, section = ""] = readFileSync("src/README.md", "utf8").split("## Two walks");
  const pictures = [...section.matchAll(/^```$(.*?)^```$/gms)].slice(0, 2).map(([, picture = ""]) => picture);
  return pictures.map((picture) =>
    [...picture.matchAll(/^ (?:\w+| ) +([\w./-]+\.ts)(?: |$)/gm)].map(([, file = ""]) => file),
  );
}

/**
 * The function that this happens in is more than one call that gets what it was given. Read from the lines as the formatter
 * leaves them: what stands in a block or behind an arrow is indented, and each statement of a block begins at one depth.
 */
function doesSomething({ file, line, column }: Cause): boolean {
  const lines = readFileSync(join("src", file), "utf8").split("\n");
  const here = lines[line] ?? "";
  const [, behindArrow] = /^.*=> (?!\{$)(.*)$/.exec(here.slice(0, column)) ?? [];
  if (behindArrow !== undefined) return !isCall(here.slice(here.lastIndexOf("=> ", column) + 3));
  const depthOf = (text: string) => (text.trim() === "" ? Number.POSITIVE_INFINITY : text.search(/\S/));
  let first = line;
  while (first >= 0 && !(depthOf(lines[first] ?? "") < depthOf(here) && /(\{|=>)$/.test(lines[first] ?? "")))
    first -= 1;
  const header = lines[first] ?? "";
  if (/^\s*(\} )?(if|for|while|try|else|switch|case|catch|finally)\b/.test(header)) return true;
  const rest = lines.slice(first + 1);
  const body = rest.slice(
    0,
    rest.findIndex((text) => depthOf(text) <= depthOf(header)),
  );
  const depth = Math.min(...body.map(depthOf));
  const statements = body.filter((text) => depthOf(text) === depth && !/^\s*([)}\]]|\/\/)/.test(text));
  return statements.length !== 1 || !isCall(statements[0]?.trim() ?? "");
}

const isCall = (text: string): boolean => /^(return |await |void |yield\*? )*[\w.#?]+\(/.test(text);
