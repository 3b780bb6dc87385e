// As much of a patch as fits: what stands in the way of the rest is left out, hunk by hunk, and told. What remains is
// planned anew each time, by the same rules, so that nothing is placed more loosely because something else is missing.

import { message } from "../messages/message.ts";
import { inSlices } from "../util/breathe.ts";
import { refuse } from "./explain.ts";
import type { FileSection, Hunk, Patch, Plan, Workspace } from "./model.ts";
import { parsing } from "./parse.ts";
import { PatchError, type Refusal } from "./patch-error.ts";
import { planParsed } from "./plan.ts";

/** Then whole files are left out instead of hunks: a patch that fits this badly is not worth more. */
const roundsByHunk = 5;
const mostRounds = 12;

export interface LeftOut {
  /** What the patch wanted to do with that file. */
  readonly kind: FileSection["kind"];
  readonly refusal: Refusal;
}

export interface PartPlan {
  readonly plan: Plan;
  /** Empty where all of it fits. */
  readonly leftOut: readonly LeftOut[];
}

/** @throws PatchError where nothing fits, or nothing can be read. */
export async function planPart(
  text: string,
  workspace: Workspace,
  options: { readonly complete?: boolean } = {},
): Promise<PartPlan> {
  const parsed = await inSlices()(parsing(text, options));
  if (parsed.kind === "refused") throw refuse([parsed.refusal]);
  const sha256 = workspace.sha256(text);
  const whole = parsed.patch;
  const leftOut: LeftOut[] = [];
  let patch = whole;
  for (let round = 0; ; round += 1) {
    const tried = await tryPlan(patch, workspace, sha256);
    if (!(tried instanceof PatchError)) return { plan: tried, leftOut };
    const rest = without(patch, tried.refusals, round < roundsByHunk);
    for (const refusal of [...tried.refusals, ...rest.besides])
      leftOut.push({ kind: kindOf(whole, refusal), refusal: numbered(whole, refusal) });
    if (rest.sections.length === 0 || !rest.isLess || round === mostRounds)
      throw refuse(leftOut.map(({ refusal }) => refusal));
    patch = rest;
  }
}

async function tryPlan(patch: Patch, workspace: Workspace, sha256: string): Promise<Plan | PatchError> {
  try {
    return await planParsed(patch, workspace, sha256);
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
}

interface Rest extends Patch {
  readonly isLess: boolean;
  /** What went with it although nothing stood in its own way. */
  readonly besides: readonly Refusal[];
}

function without(patch: Patch, refusals: readonly Refusal[], byHunk: boolean): Rest {
  const files = new Set<string>();
  const hunks = new Set<Hunk>();
  for (const refusal of refusals) {
    if (!("path" in refusal)) continue;
    if (!byHunk || !("hunk" in refusal) || isMoved(patch, refusal.path)) files.add(refusal.path);
    else {
      hunks.add(refusal.hunk);
      const other =
        refusal.kind === "entangled" ? hunksOf(patch, refusal.path)[refusal.other - 1] : undefined;
      if (other !== undefined) hunks.add(other);
    }
  }
  const refused = new Set(
    refusals.flatMap((each) => ("hunk" in each || !("path" in each) ? [] : [each.path])),
  );
  takeAlong(patch, files);
  const sections = patch.sections.flatMap((section): FileSection[] => {
    if (isIn(files, section)) return [];
    if (section.kind !== "update" || !section.hunks.some((hunk) => hunks.has(hunk))) return [section];
    const left = section.hunks.filter((hunk) => !hunks.has(hunk));
    return left.length === 0 ? [] : [{ ...section, hunks: left }];
  });
  const isLess = sections.some((section, at) => section !== patch.sections[at]);
  const gone = new Set(patch.sections.filter((section) => isIn(files, section)).map(({ path }) => path));
  return {
    sections,
    notes: patch.notes,
    isLess: isLess || sections.length < patch.sections.length,
    besides: [...gone]
      .filter((path) => !refused.has(path))
      .map((path) => ({ kind: "file", path, why: message("whyTogether") })),
  };
}

/** What was to happen to a file that another section was to put there cannot happen either. */
function takeAlong({ sections }: Patch, files: Set<string>): void {
  for (const section of sections)
    if (isIn(files, section)) for (const path of pathsOf(section)) files.add(path);
}

const pathsOf = (section: FileSection): string[] =>
  section.kind === "update" && section.moveTo !== undefined ? [section.path, section.moveTo] : [section.path];

const isIn = (files: ReadonlySet<string>, section: FileSection): boolean =>
  pathsOf(section).some((path) => files.has(path));

/** A file goes to its new name with all that was to change on the way, or stays. */
const isMoved = ({ sections }: Patch, path: string): boolean =>
  sections.some(
    (section) => section.kind === "update" && section.moveTo !== undefined && section.path === path,
  );

const hunksOf = ({ sections }: Patch, path: string): Hunk[] =>
  sections.flatMap((section) => (section.kind === "update" && section.path === path ? section.hunks : []));

/** Hunks are counted as the patch has them, also where others are gone already. */
function numbered(whole: Patch, refusal: Refusal): Refusal {
  if (!("hunk" in refusal)) return refusal;
  const number = hunksOf(whole, refusal.path).indexOf(refusal.hunk) + 1;
  return number === 0 ? refusal : { ...refusal, number };
}

function kindOf({ sections }: Patch, refusal: Refusal): FileSection["kind"] {
  const path = "path" in refusal ? refusal.path : "";
  return sections.find((section) => pathsOf(section).includes(path))?.kind ?? "update";
}
