// Reports checks to the model: what is new and how much of the rest was fixed, each finding with its place and source
// line. Findings with the same text share a row with all places and follow the unique ones. Files of the proposal come
// first, then those that the conversation is about. In all other files, findings that differ only in quoted names share
// a row, and frequent ones are only counted: dozens of findings that nobody has asked about would be sent again with
// every request.

import { inEnglish } from "../../conversation/english.ts";
import type { GuardedFiles } from "../../files/guarded-files.ts";
import { groupBy } from "../../util/collections.ts";
import { forModel } from "../../util/sentences.ts";
import { trimEnd } from "../../util/text.ts";
import type { CheckFinding, CheckResult } from "../check-result.ts";
import { tenths } from "../report.ts";

export interface ReportDeps {
  /** Files as the model sees them, with the proposal applied. */
  readonly files: Pick<GuardedFiles, "read">;
  /** Names of the proposal's files; empty if the checks ran on the workspace as it is. */
  readonly proposed: readonly string[];
  /** Also lists old findings that remain in files of the proposal. */
  readonly listsStill?: boolean;
  /** Selects the files that the conversation is about. */
  near?(paths: readonly string[]): ReadonlySet<string>;
  /** A file or a folder; findings elsewhere are only counted. */
  readonly path?: string | undefined;
}

/** Enough to see what is wrong; further findings usually have the same cause. */
const maxRows = 40;
const maxStillRows = 10;
const maxPlaces = 12;
/**
 * If there are more findings than this, rows with more than `maxFar` places in files that nobody has asked about are
 * only counted.
 */
const manyFindings = 20;
const maxFar = 5;
/** For a row with more places than this, the source line of one of them says little. */
const maxPlacesWithLine = 3;
const longestText = 200;
const longestKind = 60;
/** Limit for files that are read for source lines. */
const maxFiles = 30;
const longestLine = 200;

/** One problem with all its places. */
interface Row {
  readonly first: CheckFinding;
  readonly all: readonly CheckFinding[];
  /** The findings of this row have different texts. */
  readonly isAlike: boolean;
}

export async function modelReport(
  results: readonly CheckResult[],
  deps: ReportDeps,
  signal: AbortSignal,
): Promise<string> {
  const isProposal = deps.proposed.length > 0;
  if (results.length === 0)
    return isProposal
      ? forModel("No check applies to your proposed changes.")
      : forModel("No check runs by itself here.");
  const paths = results.flatMap(({ findings }) => findings.flatMap(({ path }) => path ?? []));
  const nearness = { own: new Set(deps.proposed), near: deps.near?.([...new Set(paths)]) ?? new Set() };
  const isAsked = within(deps.path);
  const listed = results.map((result) => {
    const findings = result.findings.filter(isAsked);
    const rows = rowsOf(findings, nearness);
    const isMany = !isProposal && deps.path === undefined && findings.length > manyFindings;
    const isCounted = (row: Row) => isMany && isFar(row, nearness);
    const still = deps.listsStill === true ? (result.earlier?.here ?? []) : [];
    return {
      ...{ result, still: still.filter(isAsked), rows: rows.filter((row) => !isCounted(row)) },
      ...{ far: rows.filter(isCounted), others: result.findings.length - findings.length },
    };
  });
  const shown = listed.flatMap(({ rows }) => rows.slice(0, maxRows)).filter(hasLine);
  const lineAt = await sourceLines(
    shown.map(({ first }) => first),
    deps.files,
    signal,
  );
  const said = listed.flatMap(({ result, rows, far, others, still }) => [
    `- ${result.name}: ${stateOf(result, isProposal)}`,
    ...rowsInWords(rows, lineAt),
    ...(far.length === 0 ? [] : [`  Only counted; a path lists them: ${farInWords(far)}.`]),
    ...(others === 0 ? [] : [`  [${others} in other files.]`]),
    ...(still.length === 0 ? [] : [`  Still there in the files of your proposals: ${stillInWords(still)}.`]),
  ]);
  const title = isProposal
    ? "Checks on the workspace with your proposed changes:"
    : "Nothing is proposed. Checks on the workspace as it is:";
  return [title, ...said].join("\n");
}

function stateOf(result: CheckResult, isProposal: boolean): string {
  const { state, findings, why, notSeen = [] } = result;
  const because = why === undefined ? "" : ` ${inEnglish(why)}`;
  const unseen = notSeen.length === 0 ? "" : ` It did not look at ${notSeen.join(", ")}.`;
  switch (state) {
    case "passed":
      return `${passed(result, isProposal)}${unseen}`;
    case "no-new":
      return `fails, with nothing new.${earlierIn(result) || " It failed without your changes as well."}${unseen}`;
    case "new-findings":
      return `${findings.length} ${isProposal ? "new" : "found"}.${because}${earlierIn(result)}`;
    case "could-not-compare":
      return isProposal ? `could not be compared.${because}` : `no result.${because}`;
    case "waiting":
      return `waits for the user.${because}`;
    case "unavailable":
      return `cannot run.${because}`;
    default:
      return `was not run ${isProposal ? "on these changes " : ""}to its end.`;
  }
}

function passed(result: CheckResult, isProposal: boolean): string {
  const { seconds, findings } = result;
  const time = seconds === undefined ? "" : ` in ${tenths(seconds)} s`;
  const word = isProposal ? "new warning" : "warning";
  const warnings = findings.length === 0 ? "" : `, with ${counted(findings.length, word)}`;
  return `passed${time}${warnings}.${earlierIn(result)}`;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

function earlierIn({ earlier }: CheckResult): string {
  if (earlier === undefined) return "";
  const { gone, still } = earlier;
  return ` Of ${gone + still} that ${gone + still === 1 ? "was" : "were"} there before, ${gone} gone, ${still} still there.`;
}

interface Nearness {
  /** Files of the proposal. */
  readonly own: ReadonlySet<string>;
  /** Files that the conversation is about. */
  readonly near: ReadonlySet<string>;
}

/** Matches findings in this file, or anywhere below this folder. */
function within(path: string | undefined): (finding: CheckFinding) => boolean {
  const start = trimEnd((path ?? "").trim(), "/").replace(/^\.\//, "");
  if (start === "" || start === ".") return () => true;
  return ({ path: found = "" }) => found === start || found.startsWith(`${start}/`);
}

const isFar = ({ all }: Row, { own, near }: Nearness): boolean =>
  all.every(({ path = "" }) => !own.has(path) && !near.has(path)) &&
  (all.length > maxFar || all.every(({ path = "" }) => path.includes("node_modules/")));

/** `TS2591 Cannot find name 'process' 26 times in 9 files`. */
const farInWords = (rows: readonly Row[]): string =>
  rows
    .map(({ first, all }) => {
      const files = new Set(all.map(({ path }) => path)).size;
      const said = [first.code, first.text.slice(0, longestKind)].filter((part) => part !== undefined);
      return `${said.join(" ")} … ${all.length} times in ${files === 1 ? "1 file" : `${files} files`}`;
    })
    .join("; ");

const kindOf = ({ code, text }: CheckFinding): string => code ?? unquoted(text).slice(0, longestKind);

/** Sorts unique findings before frequent ones, and files of the proposal before others. */
function rowsOf(findings: readonly CheckFinding[], { own, near }: Nearness): readonly Row[] {
  const distanceOf = ({ path = "" }: CheckFinding) => (own.has(path) ? 0 : near.has(path) ? 1 : 2);
  const groups = new Map<string, CheckFinding[]>();
  // In a row with places near and far, the near ones come first.
  for (const each of findings.toSorted((one, other) => distanceOf(one) - distanceOf(other))) {
    const { code, text, isWarning } = each;
    const isSame = JSON.stringify([code, text, isWarning]);
    const key =
      distanceOf(each) < 2 || groups.has(isSame) ? isSame : JSON.stringify([code, unquoted(text), isWarning]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  const rows = [...groups.values()].map((all) => {
    const [first = { text: "" }] = all;
    return { all, first, isAlike: all.some(({ text }) => text !== first.text) };
  });
  const weight = ({ first, all }: Row) => (all.length > 1 ? 3 : 0) + distanceOf(first);
  return rows.toSorted((one, other) => weight(one) - weight(other));
}

/** Removes quoted names. */
const unquoted = (text: string): string => text.replace(/'[^']*'|"[^"]*"|`[^`]*`|“[^“”]*”/g, "''");

const hasLine = ({ all }: Row): boolean => all.length <= maxPlacesWithLine;

function rowsInWords(
  rows: readonly Row[],
  lineAt: (finding: CheckFinding) => string | undefined,
): readonly string[] {
  const lines = rows.slice(0, maxRows).flatMap((row) => {
    const code = hasLine(row) ? lineAt(row.first) : undefined;
    return [`  ${wordsOf(row)}`, ...(code === undefined ? [] : [`    | ${code}`])];
  });
  const more = rows.slice(maxRows).reduce((sum, { all }) => sum + all.length, 0);
  return more > 0 ? [...lines, `  [${more} more are not shown.]`] : lines;
}

function wordsOf({ first, all, isAlike }: Row): string {
  const { path, line, column, code, text } = first;
  const short = text.length > longestText ? `${text.slice(0, longestText)} …` : text;
  const said = [code, short].filter((each) => each !== undefined && each !== "").join(" ");
  const place = [path, line, column].filter((each) => each !== undefined).join(":");
  if (all.length === 1) return place === "" ? said : `${place} ${said}`;
  const places = placesOf(all);
  return `${said} (${isAlike ? "and alike, " : ""}${all.length} times${places === "" ? "" : `: ${places}`})`;
}

/** Findings that were reported when they appeared, reduced to kind and place. */
function stillInWords(findings: readonly CheckFinding[]): string {
  const kinds = groupBy(findings, kindOf);
  const all = [...kinds].map(([kind, found]) => `${kind} ${placesOf(found)}`.trim());
  const more = [...kinds.values()].slice(maxStillRows).flat().length;
  return [...all.slice(0, maxStillRows), ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

/** `src/a.ts:3, 9; src/b.ts:4`. */
function placesOf(all: readonly CheckFinding[]): string {
  const byFile = new Map<string, number[]>();
  for (const { path = "", line } of all.slice(0, maxPlaces)) {
    const known = byFile.get(path) ?? [];
    byFile.set(path, line === undefined ? known : [...known, line]);
  }
  const places = [...byFile].map(([path, lines]) =>
    path === "" || lines.length === 0 ? path : `${path}:${lines.join(", ")}`,
  );
  const more = all.length - maxPlaces;
  const rest = more > 0 ? [`${more} more`] : [];
  return [...places.filter((each) => each !== ""), ...rest].join("; ");
}

/** The source lines at these places, as far as the model may read them. */
async function sourceLines(
  findings: readonly CheckFinding[],
  files: Pick<GuardedFiles, "read">,
  signal: AbortSignal,
): Promise<(finding: CheckFinding) => string | undefined> {
  const paths = new Set(
    findings.flatMap(({ path, line }) => (path === undefined || line === undefined ? [] : [path])),
  );
  const texts = new Map<string, readonly string[]>();
  for (const path of [...paths].slice(0, maxFiles)) {
    signal.throwIfAborted();
    // Files that the model may not read, or that are outside of the workspace, get no source line.
    const read = await files.read(path, signal).catch(() => undefined);
    if (read !== undefined) texts.set(path, read.text.split(/\r\n|\r|\n/));
  }
  return ({ path = "", line = 0 }) => {
    const code = (texts.get(path)?.[line - 1] ?? "").trim();
    if (code === "") return undefined;
    return code.length > longestLine ? `${code.slice(0, longestLine)} …` : code;
  };
}
