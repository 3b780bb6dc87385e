// Parses the output of checks into findings with places: tsc, eslint, gcc and clang, go, cargo, ruff, mypy, Python, and
// names of failed tests. Reads line by line without guessing: a line in an unknown format is no finding.
import type { CheckFinding } from "../check-result.ts";

/** A longer line is not a message. */
const longestLine = 2000;
const longestText = 500;
/** Nobody reads more findings, and most of them have the same cause. */
const maxFindings = 10_000;

/** A file name without white space, on Windows with its drive letter. Frameworks name folders `[id]` and `(group)`. */
const file = String.raw`((?:[A-Za-z]:[\\/])?[^\s:*?"<>|]+)`;
/** The same with spaces: only where what follows cannot be anything else. */
const spacedFile = String.raw`((?:[A-Za-z]:[\\/])?[^\s:*?"<>|][^:*?"<>|]*)`;

const forms = {
  tsc: new RegExp(String.raw`^${spacedFile}\((\d+),(\d+)\): (error|warning) (TS\d+): (.*)`),
  tscPretty: new RegExp(String.raw`^${spacedFile}:(\d+):(\d+) - (error|warning) (TS\d+): (.*)`),
  tscGlobal: /^(?:error|fatal) (TS\d+): (.*)/,
  line: new RegExp(String.raw`^(?:vet: |# )?\s{0,8}${file}:(\d+):(?:(\d+):)? (.+)`),
  eslintHead: /^(?:[A-Za-z]:[\\/])?[^\s:*?"<>|]+\.\w+$/,
  eslintLine: /^ {1,8}(\d+):(\d+) +(error|warning) +(.+)/,
  head: /^(error|warning)(?:\[(\w+)\])?: (.*)|^([A-Z]{1,6}\d{3,4}) (.*)/,
  arrow: new RegExp(String.raw`^ *--> ${file}:(\d+):(\d+)`),
  pytest: /^(FAILED|ERROR) ([^\s:]+\.py)(?:::(.+?))?(?: - (.*))?$/,
  unittest: /^(?:FAIL|ERROR): (\w+) \((.*)\)/,
  goTest: /^ *--- FAIL: (\S+)/,
  cargoTest: /^test (.+) \.\.\. FAILED$/,
  tap: /^ *not ok \d+ -? ?(.+)/,
  spec: /^ *[✖✗×] (.+)/,
  jestHead: /^FAIL (?:.* )?([^\s:]+\.\w+)(?: \(.*\))?$/,
  jest: /^ +● (?!Console$|Cannot log after|process\.exit called|Deprecation |Validation )(.+)/,
  mocha: /^ {2,}\d+\) (.+)/,
  pythonFile: /^ +File "([^"]+)", line (\d+)/,
  pythonError: /^(?:[\w.]*\.)?(\w*(?:Error|Exception|Warning))(?:: (.*))?$/,
} as const;

interface ReadOutput {
  readonly findings: readonly CheckFinding[];
  /** The tool stopped before it had checked everything. */
  readonly isCutShort: boolean;
  /** There are more findings than these. */
  readonly isCapped: boolean;
}

export function readCheckOutput(output: string): ReadOutput {
  const found: CheckFinding[] = [];
  const take = (finding: CheckFinding) => {
    found.push({ ...finding, text: finding.text.trim().slice(0, longestText) });
  };
  /** Lines that only count as findings if the program turns out to be Mocha. */
  const numbered = new Set<CheckFinding>();
  const told = new Set<string>();
  let [isMocha, hasSummary] = [false, false];
  let jestFile: string | undefined;
  let fileAbove: string | undefined;
  let head: Said | undefined;
  let python: { readonly path: string; readonly line: number } | undefined;
  /** A failed test whose reason may follow. */
  let failed: { readonly at: number } | undefined;
  /** The compiler's message continues on the following lines. */
  let isGoingOn = false;
  let isCutShort = false;
  for (const line of linesOf(output)) {
    if (found.length >= maxFindings) break;
    if (line === "") {
      fileAbove = undefined;
      isGoingOn = false;
      continue;
    }
    isMocha ||= /^ +\d+ failing$/.test(line);
    const begun = found.at(-1);
    if (isGoingOn && begun !== undefined && /^ {2,}\S/.test(line)) {
      found[found.length - 1] = { ...begun, text: `${begun.text} ${line.trim()}`.slice(0, longestText) };
      continue;
    }
    const tsc = forms.tsc.exec(line) ?? forms.tscPretty.exec(line);
    isGoingOn = tsc !== null;
    if (tsc !== null) {
      const [, path = "", number, column, severity, code = "", text = ""] = tsc;
      // After a syntax error, the compiler does not type-check.
      if (/^TS1\d{3}$/.test(code)) isCutShort = true;
      take({ ...placed(path, number, column), code, text, ...weight(severity) });
      continue;
    }
    const global = forms.tscGlobal.exec(line);
    if (global !== null) {
      isCutShort = true;
      take({ ...(global[1] && { code: global[1] }), text: global[2] ?? "" });
      continue;
    }
    const arrow = forms.arrow.exec(line);
    if (arrow !== null && head !== undefined) {
      take({ ...placed(arrow[1] ?? "", arrow[2], arrow[3]), ...head });
      head = undefined;
      continue;
    }
    const eslint = fileAbove === undefined ? null : forms.eslintLine.exec(line);
    if (eslint !== null && fileAbove !== undefined) {
      const { text, code } = ruleOf(eslint[4] ?? "");
      take({ ...placed(fileAbove, eslint[1], eslint[2]), ...(code && { code }), text, ...weight(eslint[3]) });
      continue;
    }
    const pytest = forms.pytest.exec(line);
    if (pytest !== null) {
      hasSummary = true;
      const [, , path = "", name = "", why = ""] = pytest;
      take({ path: slashes(path), text: [name, why].filter((each) => each !== "").join(": ") || "failed" });
      continue;
    }
    const generic = forms.line.exec(line);
    if (generic !== null && looksLikeFile(generic[1] ?? "") && !/^(?:note|help): /.test(generic[4] ?? "")) {
      take({ ...placed(generic[1] ?? "", generic[2], generic[3]), ...messageOf(generic[4] ?? "") });
      continue;
    }
    const test =
      forms.goTest.exec(line) ?? forms.cargoTest.exec(line) ?? forms.tap.exec(line) ?? forms.spec.exec(line);
    if (test !== null) {
      const name = withoutTime(test[1] ?? "");
      if (!/^failing tests:?$|^\d+ problems? \(/.test(name)) take({ text: name });
      continue;
    }
    const jestHead = forms.jestHead.exec(line);
    if (jestHead !== null) {
      jestFile = slashes(jestHead[1] ?? "");
      continue;
    }
    const jest = forms.jest.exec(line);
    const jestName = jest === null ? "" : withoutTime(jest[1] ?? "");
    if (jest !== null && (jestFile !== undefined || jestName.includes(" › "))) {
      // Jest lists all failures again at the end.
      const key = `${jestFile} ${jestName}`;
      if (!told.has(key)) take({ ...(jestFile !== undefined && { path: jestFile }), text: jestName });
      told.add(key);
      continue;
    }
    const mocha = forms.mocha.exec(line);
    if (mocha !== null) {
      take({ text: withoutTime(mocha[1] ?? "") });
      const last = found.at(-1);
      if (last !== undefined) numbered.add(last);
      continue;
    }
    const unit = forms.unittest.exec(line);
    if (unit !== null) {
      failed = { at: found.length };
      take({ text: `${unit[1]} (${unit[2]})` });
      continue;
    }
    const place = forms.pythonFile.exec(line);
    if (place !== null) {
      python = { path: slashes(place[1] ?? ""), line: Number(place[2]) };
      continue;
    }
    const error = python === undefined ? null : forms.pythonError.exec(line);
    if (error !== null && python !== undefined) {
      const text = [error[1], error[2]].filter((each) => each).join(": ");
      const known = failed === undefined ? undefined : found[failed.at];
      if (known !== undefined && failed !== undefined)
        found[failed.at] = { ...python, text: `${known.text}: ${text}`.slice(0, longestText) };
      else take({ ...python, text, ...weight(/Warning$/.test(error[1] ?? "") ? "warning" : undefined) });
      [python, failed] = [undefined, undefined];
      continue;
    }
    const header = forms.head.exec(line);
    if (header !== null) {
      const [code, text] = [header[2] ?? header[4], header[3] ?? header[5] ?? ""];
      head = { ...(code && { code }), text, ...weight(header[1]) };
    }
    if (forms.eslintHead.test(line)) fileAbove = line;
  }
  const kept = found.filter(
    (each) =>
      (isMocha || !numbered.has(each)) &&
      // Pytest repeats the reasons from its report in the summary, with the names of the tests.
      !(hasSummary && /^\w*(?:Error|Exception)$/.test(each.text)),
  );
  return { findings: kept, isCutShort, isCapped: found.length >= maxFindings };
}

/** Yields one line at a time: splitting a very long output into an array takes seconds. */
function* linesOf(output: string): Generator<string> {
  for (let from = 0; from < output.length; ) {
    const at = output.indexOf("\n", from);
    const end = at < 0 ? output.length : at;
    yield plain(output.slice(from, Math.min(end, from + longestLine)));
    from = end + 1;
    // Several empty lines say no more than one.
    if (output[from] === "\n") yield "";
    while (output[from] === "\n") from++;
  }
}

/** Removes terminal colours. */
function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are.
  const cut = line.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
  return cut.endsWith("\r") ? cut.slice(0, -1) : cut;
}

const slashes = (path: string): string => path.replaceAll("\\", "/").replace(/^\.\//, "");

function placed(path: string, line: string | undefined, column: string | undefined) {
  return {
    path: slashes(path),
    ...(line !== undefined && { line: Number(line) }),
    ...(column !== undefined && { column: Number(column) }),
  };
}

const looksLikeFile = (path: string): boolean => /[./\\]/.test(path) && /[A-Za-z]/.test(path);

/** What a tool reports about one place. */
type Said = Pick<CheckFinding, "code" | "text" | "isWarning">;

/** Only the tool's own severity makes a finding a warning. */
const weight = (severity: string | undefined): Pick<CheckFinding, "isWarning"> =>
  severity === "warning" ? { isWarning: true } : {};

/** `error: …`, `F401 …`, `…  [attr-defined]`, `DeprecationWarning: …`. */
function messageOf(line: string): Said {
  const [, severity] = /^(warning): /.exec(line) ?? /^[A-Z]\w{0,60}(Warning): /.exec(line) ?? [];
  return {
    ...wordsOf(line.replace(/^(?:fatal error|error|warning): /, "")),
    ...weight(severity?.toLowerCase()),
  };
}

function wordsOf(text: string): Said {
  const leading = /^([A-Z]{1,6}\d{3,4}) (.*)/.exec(text);
  if (leading !== null) return { code: leading[1] ?? "", text: (leading[2] ?? "").replace(/^\[\*\] /, "") };
  const at = text.endsWith("]") ? text.lastIndexOf(" [") : -1;
  const code = at < 0 ? undefined : text.slice(at + 2, -1);
  return code !== undefined && /^[\w/@-]+$/.test(code) ? { code, text: text.slice(0, at) } : { text };
}

/** The rule follows the message after two spaces. */
function ruleOf(line: string): { readonly text: string; readonly code?: string } {
  const at = line.lastIndexOf("  ");
  const rule = at < 0 ? "" : line.slice(at + 2);
  return rule === "" || rule.includes(" ") ? { text: line } : { text: line.slice(0, at), code: rule };
}

/** Removes durations, which differ on each run. */
const withoutTime = (name: string): string => name.replace(/ \(\d[\d.]* ?m?s\)$/, "").replace(/ # .*/, "");
