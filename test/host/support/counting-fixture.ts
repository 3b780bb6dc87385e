// A service of the product with its ledgers over the simulator, in the real editor, and the commands that count and tell
// what was used. What they ask, show and save is kept to be looked at.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as vscode from "vscode";
import { createSelectionCount } from "../../../src/editor/status/selection-count.ts";
import { createEstimateCommands } from "../../../src/usage/editor/internal/estimate-commands.ts";
import { createReceiptCommands, createUsageCommands } from "../../../src/usage/editor/usage.ts";
import type { UsageNode } from "../../../src/usage/internal/usage-nodes.ts";
import { text } from "../../sim/script.ts";
import { startSimulator } from "../../sim/simulator.ts";
import { openWholeService } from "../../support/whole-service.ts";
import { closeAll, testWorkspace } from "./files.ts";
import { heard } from "./heard.ts";

const nonceHeader = "X-Patchbay-Nonce";

/** What a person has set or answers; a test changes it at any time. */
interface Choices {
  mode: "local" | "onDemand" | "auto";
  agreed: boolean;
  pricing: unknown;
  /** What a command was called on. */
  node: UsageNode | undefined;
}

type CountingFixture = Awaited<ReturnType<typeof openCountingFixture>>;

/** What is returned stands for the fixture of the test that runs. */
export function countingForEach(): CountingFixture {
  let fixture: CountingFixture | undefined;
  beforeEach(async () => {
    fixture = await openCountingFixture();
  });
  afterEach(() => fixture?.close());
  return new Proxy({} as CountingFixture, { get: (_, name) => fixture && Reflect.get(fixture, name) });
}

async function openCountingFixture() {
  const sim = await startSimulator({ nonceHeader });
  const folder = mkdtempSync(join(tmpdir(), "patchbay-tokens-"));
  const set: Choices = { mode: "onDemand", agreed: true, pricing: null, node: undefined };
  const questions: string[] = [];
  const shown: { title: string; text: string }[] = [];
  const saved = new Map<string, string>();
  const selection = createSelectionCount();
  const openService = () =>
    openWholeService({
      folder,
      sim,
      workspace: testWorkspace(),
      settings: {
        service: () => ({ nonceHeader }),
        estimateMode: () => set.mode,
        pricing: () => set.pricing,
      },
    });
  let service = await openService();

  const documents = {
    show: async (title: string, _: string, body: string) => void shown.push({ title, text: body }),
    dispose: () => undefined,
  };
  const save = async (name: string, bytes: Uint8Array) => void saved.set(name, Buffer.from(bytes).toString());
  const nodeOf = () => set.node;
  return {
    sim,
    /** Where it keeps what it keeps; no folder of the workspace. */
    folder,
    set,
    questions,
    shown,
    saved,
    selection,
    get service() {
      return service;
    },
    estimating: () => ({
      ...service,
      session: () => service.surfaces.session,
      selection,
      mode: () => set.mode,
    }),
    estimates: () =>
      createEstimateCommands({
        ...service,
        session: () => service.surfaces.session,
        documents,
        selection,
        mode: () => set.mode,
        async agree(question, detail) {
          questions.push(`${question} ${detail}`);
          return set.agreed;
        },
      }),
    usage: () =>
      createUsageCommands({
        ...service,
        session: () => service.surfaces.session,
        documents,
        save,
        nodeOf,
        now: Date.now,
      }),
    receipts: () =>
      createReceiptCommands({ ...service, bytes: service.receiptBytes, documents, save, nodeOf }),
    async ask(prompt: string): Promise<void> {
      sim.reply(text(`An answer to ${prompt}`));
      await service.surfaces.session.send({ prompt });
    },
    /** Once this selection has been counted, or that nothing is selected. */
    counted: (selected?: vscode.Selection) =>
      heard(() => {
        const [first] = selection.current?.selections ?? [];
        return first === selected || (selected && first?.isEqual(selected)) || undefined;
      }, selection.onDidChange),
    /** The same folder in another window. */
    async reopen(): Promise<void> {
      await service.close();
      service = await openService();
    },
    async close(): Promise<void> {
      selection.dispose();
      await service.close();
      await sim.close();
      rmSync(folder, { recursive: true, force: true });
      await closeAll();
    },
  };
}
