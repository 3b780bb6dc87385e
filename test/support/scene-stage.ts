// Where the golden requests are made: a small workspace that is the same each time, a service, and sessions of the product
// whose clock and ids are counted. What is seen of the requests is what has really arrived at the service.

import type { Check, CheckHost, CheckRun } from "../../src/checks/check.ts";
import type { Workspace } from "../../src/files/workspace.ts";
import type { SeenRequest } from "../sim/request-log.ts";
import { type Simulator, startSimulator } from "../sim/simulator.ts";
import { type DrivenSession, driveSession, type SessionOptions } from "./driven-session.ts";
import { inMemory, MemoryWorkspace } from "./memory-workspace.ts";
import { withoutSandbox } from "./proposal-checks.ts";

export interface Stage {
  readonly sim: Simulator;
  /** Its files can be changed before and while a session is open. */
  readonly files: Map<string, string>;
  open(options?: Partial<SessionOptions>): DrivenSession;
  /** What asked for a reply, in order. */
  generations(): readonly SeenRequest[];
  close(): Promise<void>;
}

/** Short enough to be read in a dump, with one of everything that a question can be about. */
export const sampleFiles: Readonly<Record<string, string>> = {
  "README.md": "# Shop\n\nPrices are kept in cents.\n",
  "src/cart.ts": [
    'import { type Item, totalOf } from "./price.ts";',
    "",
    "export class Cart {",
    "  readonly #items: Item[] = [];",
    "",
    "  add(item: Item): void {",
    "    this.#items.push(item);",
    "  }",
    "",
    "  get total(): number {",
    "    return totalOf(this.#items);",
    "  }",
    "}",
    "",
  ].join("\n"),
  "src/price.ts": [
    'import { roundCents } from "./round.ts";',
    "",
    "export interface Item {",
    "  readonly cents: number;",
    "  readonly count: number;",
    "}",
    "",
    "export function totalOf(items: readonly Item[], discount = 0): number {",
    "  const sum = items.reduce((all, { cents, count }) => all + cents * count, 0);",
    "  return sum - sum * discount;",
    "}",
    "",
  ].join("\n"),
  "src/round.ts": "export const roundCents = (cents: number): number => Math.round(cents);\n",
  "test/cart.test.ts":
    'import { Cart } from "../src/cart.ts";\n\nnew Cart().add({ cents: 250, count: 2 });\n',
};

export async function openStage(files: Readonly<Record<string, string>> = sampleFiles): Promise<Stage> {
  const sim = await startSimulator();
  const memory = new MemoryWorkspace(files, ["shop"]);
  const workspace: Workspace = { ...inMemory(memory), problems: sampleProblems };
  const opened: DrivenSession[] = [];
  return {
    sim,
    files: memory.files,
    open(options = {}) {
      const [now, newId] = [counter(1_750_000_000_000), counter(1)];
      const driven = driveSession(workspace, {
        baseUrl: sim.url,
        key: sim.key,
        now,
        newId: () => `id-${newId()}`,
        checkHost: checkThatSays(""),
        ...options,
        service: { userId: "hashed-installation", ...options.service },
      });
      opened.push(driven);
      return driven;
    },
    generations: () =>
      sim.requests.filter(({ operation }) => operation === "responses" || operation === "chat"),
    async close() {
      for (const each of opened) await each.close();
      await sim.close();
    },
  };
}

function counter(first: number): () => number {
  let next = first;
  return () => next++;
}

const sampleProblems: Workspace["problems"] = (file) =>
  file !== undefined && file.path !== "src/price.ts"
    ? []
    : [
        {
          file: { folder: "shop", path: "src/price.ts" },
          line: 1,
          column: 10,
          severity: "warning",
          message: "'roundCents' is declared but its value is never read.",
          source: "ts",
        },
      ];

/** A check of the types that says this of whatever is proposed, and nothing of the files as they are. */
export function checkThatSays(output: string): CheckHost {
  const command = "tsc --noEmit";
  const check: Check = {
    id: "types",
    name: "types",
    command,
    kind: "static",
    folder: "shop",
    blind: [],
    isAlways: true,
  };
  const run = (said: string): CheckRun => ({
    end: "done",
    code: said === "" ? 0 : 2,
    output: said,
    seconds: 2,
  });
  return {
    hasAny: true,
    obstacle: undefined,
    filesRevision: 0,
    checks: async () => [check],
    ...withoutSandbox,
    withCopy: (_, overlaid, use) =>
      use({
        command: () => Promise.reject(new Error("No command runs here.")),
        run: async () => run(overlaid.length > 0 ? output : ""),
        baseline: async () => run(""),
        knownBaseline: async () => undefined,
      }),
  };
}
