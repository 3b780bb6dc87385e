// Checks of a session that find a word in what is proposed, played instead of run.
import type { Check, CheckHost, CheckRun, Confinement, Overlaid } from "../../src/checks/check.ts";
import { type JudgeInput, judgeRuns } from "../../src/checks/judge.ts";

/** A check that finds the word `wrong` in what is proposed. */
export function hostFor(
  checks: readonly Check[],
  meanwhile: (signal: AbortSignal) => Promise<void> = async () => {},
  before = "",
  confinement: Confinement = { kind: "sandbox" },
) {
  const baseline: CheckRun = { end: "done", code: before === "" ? 0 : 2, output: before, seconds: 1 };
  const ran: string[] = [];
  const run = async (overlaid: Overlaid): Promise<CheckRun> => {
    const texts = overlaid.map(([, state]) => state?.text ?? "");
    ran.push(texts.join("|"));
    const bad = texts.some((each) => each.includes("wrong"));
    const output = bad
      ? "a.ts(1,1): error TS2322: It is wrong. Bearer sk-live-4242424242424242424242424242424242424242\n"
      : "";
    return { end: "done", code: bad ? 2 : 0, output, seconds: 1 };
  };
  const host: CheckHost = {
    ...{ hasAny: checks.length > 0, obstacle: undefined, filesRevision: 0 },
    checks: async () => checks,
    confinement: async () => confinement,
    allowAlways: async () => {},
    measure: async () => undefined,
    judge: async (judging: JudgeInput) => judgeRuns(judging),
    onDidChange: () => ({ dispose() {} }),
    withCopy: (_, overlaid, use) =>
      use({
        command: () => Promise.reject(new Error("No command runs here.")),
        async run(_, signal, part) {
          await meanwhile(signal);
          signal.throwIfAborted();
          return run(part ?? overlaid);
        },
        baseline: async () => baseline,
        knownBaseline: async () => baseline,
      }),
  };
  return { host, ran };
}
