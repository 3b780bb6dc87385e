// Runs checks on a copy and draws conclusions. For a proposal: what it newly breaks, what it fixes, and what it leaves
// unchanged. For the workspace as it is: all findings. Files get their display names.

import type { PendingFile } from "../../changes/pending-changes.ts";
import { hashOf } from "../../changes/proposal.ts";
import { type Message, message } from "../../conversation/messages.ts";
import { nameAfter } from "../../patch/edits.ts";
import type { FileChange, FileName } from "../../patch/model.ts";
import { foldName, protectionOf } from "../../patch/paths.ts";
import { present } from "../../util/present.ts";
import type { Check, CheckCopy, CheckHost, CheckRun, Confinement } from "../check.ts";
import type { CheckFinding, CheckResult } from "../check-result.ts";
import { cleanRun, type Verdict } from "../judge.ts";

export interface VerdictDeps {
  readonly host: Pick<CheckHost, "judge">;
  /** Makes a program's output fit to store, to show and to send to the model. */
  clean(text: string): Promise<string>;
  /** The display name of a file. */
  nameOf(file: FileName): string;
}

/** Called for each check as soon as there is a result. `output`: the redacted output of the check. */
type Conclude = (result: CheckResult, output: string) => void;

/** Runs all checks with the proposal, then runs those with findings without it. */
export async function judgeProposal(
  { copy, checks, changes }: { copy: CheckCopy; checks: readonly Check[]; changes: readonly FileChange[] },
  deps: VerdictDeps,
  conclude: Conclude,
  signal: AbortSignal,
): Promise<void> {
  const proposed = pathsOf(changes);
  const judging = { moved: movedIn(changes), proposed };
  const say = (check: Check, run: CheckRun, verdict: Verdict) =>
    conclude(asFarAsSeen(resultOf(check, run, verdict, deps), check, run, proposed, deps), run.output);
  const open: (readonly [Check, CheckRun])[] = [];
  for (const check of checks) {
    const run = await cleaned(copy.run(check, signal), deps);
    signal.throwIfAborted();
    const verdict = await deps.host.judge({ run });
    // A second run only to count what was fixed would cost as much as the first.
    const known = verdict?.state === "passed" ? await copy.knownBaseline(check, signal) : undefined;
    const compared = known && (await deps.host.judge({ run, baseline: known, ...judging }));
    if (verdict === undefined) open.push([check, run]);
    else say(check, run, compared?.state === "passed" ? compared : verdict);
  }
  for (const [check, run] of open) {
    const baseline = await cleaned(copy.baseline(check, signal), deps);
    signal.throwIfAborted();
    const verdict = await deps.host.judge({ run, baseline, ...judging });
    if (verdict !== undefined) say(check, run, verdict);
  }
}

/** Nothing is proposed, so all findings count. */
async function judgeWorkspace(
  { copy, checks }: { copy: CheckCopy; checks: readonly Check[] },
  deps: VerdictDeps,
  conclude: Conclude,
  signal: AbortSignal,
): Promise<void> {
  for (const check of checks) {
    const run = await cleaned(copy.baseline(check, signal), deps);
    signal.throwIfAborted();
    const verdict = await deps.host.judge({ run, baseline: cleanRun });
    if (verdict !== undefined) conclude(resultOf(check, run, verdict, deps), run.output);
  }
}

/** Runs these on the workspace as it is; those that cannot say why. */
export async function judgeAlone(
  checks: readonly Check[],
  deps: VerdictDeps & { readonly host: Pick<CheckHost, "confinement" | "withCopy"> },
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const confinement = await deps.host.confinement();
  const isConfined = confinement.kind === "sandbox";
  const results = new Map<string, CheckResult>();
  const ready: Check[] = [];
  for (const check of checks) {
    const held = holdsAlone(check, confinement);
    results.set(check.id, { ...namesOf(check), findings: [], ...(held ?? { state: "stale" }) });
    if (held === undefined) ready.push({ ...check, isConfined });
  }
  const conclude = (result: CheckResult) => void results.set(result.id, result);
  for (const folder of new Set(ready.map((check) => check.folder))) {
    const own = ready.filter((check) => check.folder === folder);
    const judge = (copy: CheckCopy) => judgeWorkspace({ copy, checks: own }, deps, conclude, signal);
    await deps.host.withCopy(folder, [], judge, signal);
  }
  return [...results.values()];
}

/**
 * Why a check cannot run on the workspace alone. There is no question to ask, since a person is asked about proposals
 * only.
 */
function holdsAlone(check: Check, confinement: Confinement): Pick<CheckResult, "state" | "why"> | undefined {
  if (check.isChanged === true) return { state: "waiting", why: message("checkBodyChanged") };
  if (check.reader !== undefined || check.isAlways === true || confinement.kind === "sandbox")
    return undefined;
  return { state: "unavailable", why: message("checkNotAlone", { why: confinement.why }) };
}

async function cleaned(running: Promise<CheckRun>, { clean }: VerdictDeps): Promise<CheckRun> {
  const run = await running;
  return { ...run, output: await clean(run.output) };
}

function resultOf(check: Check, run: CheckRun, verdict: Verdict, { nameOf }: VerdictDeps): CheckResult {
  const named = ({ path, ...rest }: CheckFinding): CheckFinding =>
    path === undefined ? rest : { ...rest, path: nameOf({ folder: check.folder, path }) };
  const findings = "findings" in verdict ? (verdict.findings ?? []).map(named) : [];
  const earlier = "earlier" in verdict ? verdict.earlier : undefined;
  const { touched = [] } = run;
  const changed = touched.length === 0 ? undefined : message("checkTouched", { files: fewNames(touched) });
  return {
    ...namesOf(check),
    state: verdict.state,
    seconds: run.seconds,
    findings,
    ...present({
      earlier: earlier && { ...earlier, here: earlier.here.map(named) },
      why: changed ?? ("why" in verdict ? verdict.why : undefined),
    }),
  };
}

/** Never shows a tick without saying what the check has not looked at. */
function asFarAsSeen(
  result: CheckResult,
  check: Check,
  { notSeen = [] }: CheckRun,
  proposed: readonly string[],
  { nameOf }: VerdictDeps,
): CheckResult {
  if (result.state !== "passed" && result.state !== "no-new") return result;
  const why = whyBlind(check, proposed);
  if (why !== undefined) return { ...result, state: "could-not-compare", why: result.why ?? why };
  const own = new Set(proposed);
  const names = notSeen.filter((path) => own.has(path)).map((path) => nameOf({ folder: check.folder, path }));
  if (names.length === 0) return result;
  return { ...result, notSeen: names, why: result.why ?? message("checkPartly", { files: fewNames(names) }) };
}

/** Says that the proposal touches packages that the check is known not to look at. */
function whyBlind({ folder, blind }: Check, proposed: readonly string[]): Message | undefined {
  const paths = proposed.filter(isSource);
  const packages = blind.filter((name) => paths.some((path) => name === "" || path.startsWith(`${name}/`)));
  if (packages.length === 0) return undefined;
  return message("checkBlind", { packages: fewNames(packages.map((each) => each || folder)) });
}

/** Blindness is only known for code, since planted errors are only planted in code. */
const isSource = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py|pyi|go|rs|c|cc|cpp|h|hpp|java|kt|rb|php|cs|swift)$/i.test(path);

export const pathsOf = (changes: readonly FileChange[]): readonly string[] =>
  changes.flatMap((change) => [change.file.path, nameAfter(change).path]);

const movedIn = (changes: readonly FileChange[]): ReadonlyMap<string, string> =>
  new Map(
    changes.flatMap((change) =>
      change.kind === "move" ? [[change.file.path, change.to.path] as const] : [],
    ),
  );

export const namesOf = ({ id, name, kind }: Check) => ({ id, name, kind });

/** Names a few of them. */
function fewNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown}, …` : shown;
}

const hashes = new WeakMap<PendingFile, string>();

/**
 * Hashes all that is proposed, so that a result is never shown for another proposal. Covers the proposed contents and
 * the contents that they replace.
 */
export function hashOfAll(pending: readonly PendingFile[]): string {
  return hashOf(JSON.stringify(pending.map(hashOfFile)));
}

function hashOfFile(file: PendingFile): string {
  const known = hashes.get(file);
  if (known !== undefined) return known;
  const { change, conflicts } = file;
  const text = "text" in change ? change.text : change.base.sha256;
  const edits = "edits" in change ? change.edits.map(({ lines, text: written }) => [lines, written]) : [];
  const made = hashOf(
    JSON.stringify([change.kind, change.file, nameAfter(change), text, edits, conflicts.length]),
  );
  hashes.set(file, made);
  return made;
}

/** Files that tools load without being told to. */
const loaded =
  /(?:^|\/)(?:[^/]*\.config\.[^/]*|\.[\w.-]+rc(?:\.\w+)?|conftest\.py|build\.rs|package\.json|(?:eslint|stylelint|babel|postcss)[\w-]*(?:rules?|plugins?)[^/]*)/;
// Test the folder and the extension separately: in a single expression, a path that repeats the folder would be scanned
// to its end for each repetition.
const scriptFolder = /(?:^|\/)(?:scripts?|tools?|build|plugins?|rules|bin|ci)\/./;
const scriptEnding = /\.(?:[cm]?[jt]s|py|sh|rb|pl|ps1)$/;
const runs = /\.(?:[cm]?[jt]sx?|py|sh|rb|pl|ps1|go|rs|java|kt|cs|php|c|cc|cpp|swift)$/;

function weightOf(path: string, command: string): number {
  const folded = foldName(path);
  if (protectionOf(folded).length > 0) return 4;
  if (loaded.test(folded) || command.includes(path)) return 3;
  if (scriptEnding.test(folded) && scriptFolder.test(folded)) return 2;
  return runs.test(folded) ? 1 : 0;
}

/**
 * Sorts the files of a proposal as a person should see them before any of it runs: files that programs load
 * automatically come first. Affects nothing but the order. `command`: the whole command that would run; files that it
 * names come early.
 */
export function worstFirst(changes: readonly FileChange[], command: string): readonly string[] {
  const paths = changes.flatMap((change) =>
    change.kind === "move" ? [change.file.path, change.to.path] : [change.file.path],
  );
  const weighed = [...new Set(paths)].map((path) => ({ path, weight: weightOf(path, command) }));
  return weighed.toSorted((one, other) => other.weight - one.weight).map(({ path }) => path);
}
