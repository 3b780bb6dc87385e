// Runs checks on parts of a proposal, one part after another on the same copies. A check that would execute something
// that nobody has agreed to does not run.
import type { ProposalPart } from "../../changes/proposed-workspace.ts";
import { message } from "../../conversation/messages.ts";
import type { Check, CheckCopy, CheckHost, Confinement, Overlaid } from "../check.ts";
import type { CheckResult } from "../check-result.ts";
import { judgeProposal, namesOf, type VerdictDeps } from "./run-and-judge.ts";

/** A result, and the redacted output. */
export interface PartResult {
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

/** Opens the copies of these checks for `use`. */
export function onParts<T>(
  runs: PartRuns,
  deps: PartRunDeps,
  use: (run: RunOnPart) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const copies = new Map<string, CheckCopy>();
  const open = ([folder, ...others]: readonly string[]): Promise<T> => {
    if (folder === undefined) return use(partRunner(copies, runs, deps));
    const here = runs.overlaid.filter(([file]) => file.folder === folder);
    const next = (copy: CheckCopy) => {
      copies.set(folder, copy);
      return open(others);
    };
    return deps.host.withCopy(folder, here, next, signal);
  };
  // In the same order each time, so that two searches never wait for each other.
  return open([...new Set(runs.checks.map(({ folder }) => folder))].sort());
}

/** What it returns throws if no such check is there any more. */
function partRunner(
  copies: ReadonlyMap<string, CheckCopy>,
  { checks, holds }: Pick<PartRuns, "checks" | "holds">,
  deps: PartRunDeps,
): RunOnPart {
  return async (id, { overlaid, changes }, signal) => {
    const whole = checks.find((check) => check.id === id);
    const [now, confinement] = await Promise.all([deps.host.checks(overlaid), deps.host.confinement()]);
    const check = now.find((each) => each.id === id);
    const copy = whole && copies.get(whole.folder);
    if (whole === undefined || check === undefined || copy === undefined)
      throw new Error("The check is not there any more.");
    const held =
      holds(check, confinement) ??
      (confinement.kind === "none" && isNewText(check, whole) ? unread : undefined);
    if (held !== undefined) return { result: { ...namesOf(check), findings: [], ...held }, output: "" };
    const isHere = ([{ folder }]: (typeof overlaid)[number]) => folder === check.folder;
    const part = overlaid.filter(isHere);
    const found: PartResult[] = [];
    await judgeProposal(
      {
        copy: { ...copy, run: (each, stop) => copy.run(each, stop, part) },
        checks: [{ ...check, isConfined: confinement.kind === "sandbox" }],
        changes: changes.filter(({ file }) => file.folder === check.folder),
      },
      deps,
      (result, output) => found.push({ result, output }),
      signal,
    );
    const [only] = found;
    if (only === undefined) throw new Error("A check has no result.");
    return only;
  };
}

const unread = { state: "waiting", why: message("checkBodyChanged") } as const;

/** The scripts of the command are neither those of the folder nor those of the whole proposal: nobody has seen them. */
const isNewText = ({ reader, isAlways, proposedBody }: Check, whole: Check): boolean =>
  reader === undefined &&
  isAlways !== true &&
  proposedBody !== undefined &&
  proposedBody !== whole.proposedBody &&
  proposedBody !== (whole.body ?? "");
