// A person's own checks on a real folder without an editor: the same copy, the same runs and the same verdict as in the
// product. Everything the product wants of whoever runs checks is given in `openChecks`.
import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Check, CheckCopy, CheckHost, CheckKind, CheckRun, CopySearch } from "../../src/checks/check.ts";
import type { CheckFinding } from "../../src/checks/check-result.ts";
import type { Texts } from "../../src/checks/internal/copy/files-without-links.ts";
import { FolderChecks } from "../../src/checks/internal/folder-checks.ts";
import type { Sandbox } from "../../src/checks/internal/sandbox/sandbox.ts";
import { judge, judgeAlone, judgeRuns, type Verdict } from "../../src/checks/judge.ts";
import { inEnglish } from "../../src/conversation/english.ts";
import { message } from "../../src/conversation/messages.ts";
import { cleanText, createPrivacy } from "../../src/files/privacy.ts";
import { applyEdits } from "../../src/patch/edits.ts";
import type { FileChange } from "../../src/patch/model.ts";
import { planPatch } from "../../src/patch/plan.ts";
import { copyThread } from "./copy-thread.ts";
import { DiskWorkspace } from "./disk-workspace.ts";
import { removeFolder } from "./remove-folder.mjs";

/** A command alone is a static check of that name. */
export type CheckCommand = string | CheckToRun;

export interface CheckToRun {
  readonly name: string;
  readonly command: string;
  readonly kind?: CheckKind;
  readonly timeoutSeconds?: number;
}

/** One run of one command. */
export interface CommandRun {
  readonly name: string;
  /** `done`, or what has ended it. */
  readonly end: string;
  /** Absent: a signal ended it. */
  readonly code?: number;
  /** Without secrets, and with paths as if it had run in the folder itself. */
  readonly output: string;
  readonly seconds: number;
}

/** With the place where there is one, as the command's output has it. */
export interface NewFinding extends CheckFinding {
  /** Of the check. */
  readonly name: string;
}

/** What is said of a proposal, the gravest first: of several commands the gravest counts. */
const gravity = ["new-findings", "could-not-compare", "unavailable", "no-new", "passed"] as const;
type CheckedState = (typeof gravity)[number];

export interface CheckedProposal {
  /** What each command says without the proposal. */
  readonly baseline: readonly CommandRun[];
  /** What it says with it. */
  readonly proposed: readonly CommandRun[];
  readonly newFindings: readonly NewFinding[];
  readonly state: CheckedState;
  /** Why nothing more can be said, in English. */
  readonly why: readonly string[];
}

/**
 * Checks on a copy of this folder. Who opens them has agreed to what these commands run. `sandbox`: for the model's own
 * commands.
 */
export function openChecks(root: string, commands: readonly CheckCommand[], sandbox?: Sandbox) {
  const folder = basename(resolve(root));
  const storage = mkdtempSync(join(tmpdir(), "patchbay-copies-"));
  const privacy = createPrivacy({ ignore: [], alsoIgnore: [] });
  const own = new FolderChecks({
    copyThread: copyThread(),
    folder: root,
    storage,
    git: "git",
    isLeftOut: (path) => privacy(path, false) !== undefined,
    unsaved: () => [],
    // They run with the rights of whoever has opened them.
    programOf: async () => undefined,
    sandbox: async () => sandbox,
  });
  const all = commands.map((command): Check => {
    const row = typeof command === "string" ? { name: command, command } : command;
    const id = createHash("sha256").update(JSON.stringify(row)).digest("hex");
    return { kind: "static", ...row, id, folder, blind: [], isAlways: true };
  });
  return {
    all,
    confinement:
      sandbox === undefined ? withoutSandbox.confinement : async () => ({ kind: "sandbox" }) as const,
    withCopy: <T>(
      texts: Texts,
      use: (copy: CheckCopy) => Promise<T>,
      signal: AbortSignal,
      search?: CopySearch,
    ): Promise<T> => own.withCopy(texts, use, signal, { search }),
    async close() {
      await own.close();
      await removeFolder(storage);
    },
  };
}

export type OpenedChecks = ReturnType<typeof openChecks>;

/** A machine that has no sandbox, where nobody is asked. */
export const withoutSandbox = {
  confinement: async () => ({ kind: "none", why: message("sandboxPlatform") }),
  allowAlways: async () => {},
  judge: async (judging) => judgeRuns(judging),
  measure: async () => undefined,
  onDidChange: () => ({ dispose() {} }),
} satisfies Partial<CheckHost>;

/** The same for a session; `revision` counts what has happened to the files of the folder. */
export const checkHostOf = (
  { all, confinement, withCopy }: OpenedChecks,
  revision: () => number,
): CheckHost => ({
  hasAny: all.length > 0,
  obstacle: undefined,
  checks: async () => all,
  ...withoutSandbox,
  confinement,
  get filesRevision() {
    return revision();
  },
  withCopy: (_, overlaid, use, signal, search) =>
    withCopy(
      overlaid.map(([{ path }, state]) => [path, state?.text ?? null] as const),
      use,
      signal,
      search,
    ),
});

/** @throws PatchError where the patch is refused; FolderTooLarge. */
export async function checkPatch(
  root: string,
  patch: string,
  commands: readonly CheckCommand[],
  signal: AbortSignal,
): Promise<CheckedProposal> {
  const { changes } = await planPatch(patch, new DiskWorkspace(root));
  const checks = openChecks(root, commands);
  const moved = new Map(
    changes.flatMap((change) =>
      change.kind === "move" ? [[change.file.path, change.to.path] as const] : [],
    ),
  );
  const cleaned = async (running: Promise<CheckRun>): Promise<CheckRun> => {
    const run = await running;
    return { ...run, output: (await cleanText(run.output, signal)).text };
  };
  try {
    return await checks.withCopy(
      changes.flatMap(textsOf),
      async (copy) => {
        const runs: { check: Check; proposed: CheckRun; baseline: CheckRun; verdict: Verdict }[] = [];
        for (const check of checks.all) {
          const proposed = await cleaned(copy.run(check, signal));
          const baseline = await cleaned(copy.baseline(check, signal));
          const verdict = judgeAlone(proposed) ?? judge(proposed, baseline, moved);
          runs.push({ check, proposed, baseline, verdict });
        }
        const states = new Set(runs.map(({ verdict }) => verdict.state));
        return {
          baseline: runs.map(({ check, baseline }) => commandRun(check, baseline)),
          proposed: runs.map(({ check, proposed }) => commandRun(check, proposed)),
          newFindings: runs.flatMap(({ check: { name }, verdict }) =>
            "findings" in verdict ? verdict.findings.map((each) => ({ name, ...each })) : [],
          ),
          state: gravity.find((state) => states.has(state)) ?? "passed",
          why: runs.flatMap(({ verdict }) => ("why" in verdict ? [inEnglish(verdict.why)] : [])),
        };
      },
      signal,
    );
  } finally {
    await checks.close();
  }
}

const commandRun = ({ name }: Check, { end, code, output, seconds }: CheckRun): CommandRun => ({
  name,
  end,
  ...(code !== undefined && { code }),
  output,
  seconds,
});

/** What stands in the place of files once a change is made. */
function textsOf(change: FileChange): Texts {
  if (change.kind === "add") return [[change.file.path, change.text]];
  if (change.kind === "delete") return [[change.file.path, null]];
  const text = applyEdits(change.base.text, change.edits);
  if (change.kind === "update") return [[change.file.path, text]];
  return [
    [change.file.path, null],
    [change.to.path, text],
  ];
}
