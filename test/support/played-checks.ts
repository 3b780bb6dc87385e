// A session's checks with everything around them played: a copy that answers as told, files that change on demand.
import assert from "node:assert/strict";
import type { PendingFile } from "../../src/changes/pending-changes.ts";
import type { Check, CheckCopy, CheckHost, CheckRun, Confinement } from "../../src/checks/check.ts";
import type { CheckResult } from "../../src/checks/check-result.ts";
import { modelReport } from "../../src/checks/internal/model-report.ts";
import { type JudgeInput, judgeRuns } from "../../src/checks/judge.ts";
import { SessionChecks } from "../../src/checks/session-checks.ts";
import type { GuardedText } from "../../src/files/guarded-files.ts";
import { Emitter } from "../../src/util/emitter.ts";

export const never = new AbortController().signal;

export const pendingFile = (path: string, text: string): PendingFile =>
  ({
    id: path,
    change: {
      kind: "add",
      file: { folder: "f", path },
      text,
      permission: { verdict: "allow", reasons: [], real: path },
    },
    hunks: [],
    conflicts: [],
    requires: [],
    calls: ["c"],
  }) as unknown as PendingFile;

export const done = (code: number, output = ""): CheckRun => ({ end: "done", code, output, seconds: 1.23 });
export const wrong = "src/a.ts(3,5): error TS2322: Wrong.\n";

export function setUpChecks(
  checks: readonly Partial<Check>[],
  runs: Readonly<Record<string, readonly [CheckRun, CheckRun?]>>,
  confinement: Confinement = { kind: "sandbox" },
) {
  const [changed, filesChanged] = [new Emitter<void>(), new Emitter<void>()];
  let pending: readonly PendingFile[] = [pendingFile("src/a.ts", "one")];
  const ran: string[] = [];
  let during: (() => void) | undefined;
  const copy: CheckCopy = {
    command: () => Promise.reject(new Error("No command runs here.")),
    async run({ name }, signal) {
      ran.push(name);
      during?.();
      signal.throwIfAborted();
      return runs[name]?.[0] ?? done(0);
    },
    async knownBaseline({ name }) {
      return ran.includes(`${name} without`) ? (runs[name]?.[1] ?? done(0)) : undefined;
    },
    async baseline({ name }) {
      ran.push(`${name} without`);
      return runs[name]?.[1] ?? done(0);
    },
  };
  const host = {
    hasAny: true,
    obstacle: undefined,
    filesRevision: 0,
    onDidChange: filesChanged.on,
    checks: async () =>
      checks.map(
        (each): Check => ({
          ...{ id: each.name ?? "", name: "types", command: "tsc", kind: "static", folder: "f", blind: [] },
          ...each,
        }),
      ),
    confinement: async () => confinement,
    allowAlways: async () => {},
    measure: async () => undefined,
    judge: async (judging: JudgeInput) => judgeRuns(judging),
    withCopy: <T>(_: string, __: unknown, use: (copy: CheckCopy) => Promise<T>) => use(copy),
  } satisfies CheckHost;
  const session = new SessionChecks({
    host,
    changes: {
      get pending() {
        return pending;
      },
      overlaid: async () => [],
      refresh: async () => undefined,
      onDidChange: changed.on,
    },
    clean: async (text) => text.replaceAll("SECRET", "[gone]"),
    nameOf: ({ folder, path }) => `${folder}:${path}`,
    log: { error: assert.fail, warn: assert.fail, info: assert.fail, debug: assert.fail } as never,
  });
  return {
    session,
    ran,
    host,
    propose(...files: readonly PendingFile[]) {
      pending = files;
      changed.fire();
    },
    whileRunning(work: () => void) {
      during = work;
    },
    touch() {
      host.filesRevision += 1;
      filesChanged.fire();
    },
    states: () => session.results.map(({ name, state }) => `${name} ${state}`),
  };
}

/** Of files with these texts; whatever else is not for the model. */
export const reportOf = (
  results: readonly CheckResult[],
  texts: Readonly<Record<string, string>> = {},
  {
    proposed = ["f:src/a.ts"],
    listsStill = false,
    near = [] as readonly string[],
    path = undefined as string | undefined,
  } = {},
) =>
  modelReport(
    results,
    {
      ...{
        proposed,
        listsStill,
        path,
        near: (paths) => new Set(paths.filter((path) => near.includes(path))),
      },
      files: {
        async read(path) {
          const text = texts[path];
          if (text === undefined) throw new Error(`${path} is not for the model.`);
          return { text } as GuardedText;
        },
      },
    },
    never,
  );

export const wrongIn = (...places: readonly string[]) =>
  places.map((place) => `${place}: error TS2322: Wrong.\n`).join("");
