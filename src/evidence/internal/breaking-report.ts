// What the model is told about the changes that break a check: these changes, and the output of the smallest run that they
// broke. Nothing about the others but how many have passed.
import type { ProposalPart } from "../../changes/proposed-workspace.ts";
import { errorLines } from "../../checks/applied-errors.ts";
import type { CheckResult } from "../../checks/check-result.ts";
import type { FileName } from "../../patch/model.ts";
import { printPatch } from "../../patch/print-patch.ts";
import type { BreakingPlace } from "../what-breaks.ts";

interface Breaking {
  /** The changes that are sent back. */
  readonly part: ProposalPart | undefined;
  /** The changes that break, by the sets that do so together. */
  readonly places: readonly (readonly BreakingPlace[])[];
  /** For each of them the results of its smallest run. */
  readonly runs: readonly (readonly { readonly result: CheckResult; readonly output: string }[])[];
  /** The names of the checks that have run. */
  readonly ran: readonly string[];
  /** How many changes have passed these without them. */
  readonly passing: number;
  /** False: there may be more. */
  readonly isAll: boolean;
  nameOf(file: FileName): string;
}

/** Of each output, in characters. The end says most. */
const maxOutput = 4000;

export function describeBreaking({ part, places, runs, ran, passing, isAll, nameOf }: Breaking): string {
  const named = places.map((set) =>
    set.map(({ path, line }) => `${path}${line === undefined ? "" : `:${line}`}`),
  );
  const which = named.map((set) => `- ${set.join(" together with ")}`);
  const outputs = runs.flat().flatMap(({ result, output }) => {
    if (result.state !== "new-findings") return [];
    const { name, findings } = result;
    const placed = findings.filter(({ path }) => path !== undefined);
    // Where a finding has no line, the output may say more.
    const isWhole = placed.length > 0 && findings.every(({ path, line }) => path && line !== undefined);
    return [
      `New with them in ${name}:`,
      ...(placed.length > 0 ? [errorLines(placed)] : []),
      ...(!isWhole ? [output.trimEnd().slice(-maxOutput)] : []),
    ];
  });
  return [
    `Of your proposed changes, ${isAll ? "these" : "at least these"} break a check:`,
    ...which,
    ...(passing > 0 ? [`${passing} other proposed changes pass ${ran.join(", ")} without them.`] : []),
    ...outputs,
    ...(part === undefined ? [] : ["What has to be repaired or replaced:", printPatch(part.changes, nameOf)]),
  ].join("\n");
}
