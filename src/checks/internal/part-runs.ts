// Runs checks on parts of a proposal, one part after another on the copies of their folders. A check that would execute something
// that nobody has agreed to does not run.
import type { ProposalPart } from "../../changes/proposed-workspace.ts";
import { message } from "../../conversation/messages.ts";
import type { Check, CheckCopy, CheckHost, Confinement, CopySearch, Overlaid } from "../check.ts";
import type { CheckResult } from "../check-result.ts";
import { judgeProposal, namesOf, type VerdictDeps } from "./run-and-judge.ts";

/** A result, and the redacted output. */
interface PartResult {
  readonly result: CheckResult;
  readonly output: string;
}

/** Runs this check with this part of the proposal in the place of the whole. */
export type RunOnPart = (id: string, part: ProposalPart, signal: AbortSignal) => Promise<PartResult>;

interface PartRunDeps extends VerdictDeps {
  readonly host: CheckHost;
}

interface PartRuns {
  /** As they run with the whole proposal. */
  readonly checks: readonly Check[];
  /** The whole proposal. */
  readonly overlaid: Overlaid;
  /** Why a check of a part cannot run now. */
  holds(check: Check, confinement: Confinement): Pick<CheckResult, "state" | "why"> | undefined;
}

/**
 * Runs parts one after the other. Between two runs nobody holds a copy, so that what somebody else wants of it meanwhile
 * is served next.
 */
export async function onParts<T>(
  runs: PartRuns,
  deps: PartRunDeps,
  use: (run: RunOnPart) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const { checks, overlaid } = runs;
  const search: CopySearch = { name: "parts" };
  const used = new Set<string>();
  const onCopy = <Result>(folder: string, work: (copy: CheckCopy) => Promise<Result>, stop: AbortSignal) => {
    used.add(folder);
    const here = overlaid.filter(([file]) => file.folder === folder);
    return deps.host.withCopy(folder, here, work, AbortSignal.any([signal, stop]), search);
  };
  try {
    return await use((id, part, stop) => runOnPart({ id, part, checks }, runs.holds, deps, onCopy, stop));
  } finally {
    // Puts each copy back, unless somebody has used it since.
    const never = new AbortController().signal;
    for (const folder of used) deps.host.withCopy(folder, [], async () => {}, never).catch(() => {});
  }
}

type OnCopy = (
  folder: string,
  work: (copy: CheckCopy) => Promise<void>,
  signal: AbortSignal,
) => Promise<void>;

/** @throws if no such check is there any more. */
async function runOnPart(
  {
    id,
    part: { overlaid, changes },
    checks,
  }: { readonly id: string; readonly part: ProposalPart; readonly checks: readonly Check[] },
  holds: PartRuns["holds"],
  deps: PartRunDeps,
  onCopy: OnCopy,
  signal: AbortSignal,
): Promise<PartResult> {
  const whole = checks.find((check) => check.id === id);
  const [now, confinement] = await Promise.all([deps.host.checks(overlaid), deps.host.confinement()]);
  const check = now.find((each) => each.id === id);
  if (whole === undefined || check === undefined) throw new Error("The check is not there any more.");
  const { folder } = check;
  const held =
    holds(check, confinement) ??
    (confinement.kind === "none" && isNewText(check, whole) ? unread : undefined);
  if (held !== undefined) return { result: { ...namesOf(check), findings: [], ...held }, output: "" };
  const part = overlaid.filter(([file]) => file.folder === folder);
  const found: PartResult[] = [];
  const judge = (copy: CheckCopy) =>
    judgeProposal(
      {
        copy: { ...copy, run: (each, stop) => copy.run(each, stop, part) },
        checks: [{ ...check, isConfined: confinement.kind === "sandbox" }],
        changes: changes.filter(({ file }) => file.folder === folder),
      },
      deps,
      (result, output) => found.push({ result, output }),
      signal,
    );
  await onCopy(folder, judge, signal);
  const [only] = found;
  if (only === undefined) throw new Error("A check has no result.");
  return only;
}

const unread = { state: "waiting", why: message("checkBodyChanged") } as const;

/** The scripts of the command are neither those of the folder nor those of the whole proposal: nobody has seen them. */
const isNewText = ({ reader, isAlways, proposedBody }: Check, whole: Check): boolean =>
  reader === undefined &&
  isAlways !== true &&
  proposedBody !== undefined &&
  proposedBody !== whole.proposedBody &&
  proposedBody !== (whole.body ?? "");
