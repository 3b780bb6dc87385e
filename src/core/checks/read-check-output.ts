// What a check has written, as findings with places: tsc, eslint, gcc and clang, go, cargo, ruff, mypy, Python, and the
// names of tests that fail. Reads line by line and guesses nothing: a line in no known form is no finding.
import type { CheckFinding } from "../conversation/check-result.ts";

/** More is no message. */
const longestLine = 2000;
const longestText = 500;

/** A word that could name a file, without blanks; of Windows with its drive. */
const file = String.raw`((?:[A-Za-z]:[\\/])?[^\s:*?"<>|()[\]]+)`;

const forms = {
  tsc: new RegExp(String.raw`^${file}\((\d+),(\d+)\): (?:error|warning) (TS\d+): (.*)`),
  tscPretty: new RegExp(String.raw`^${file}:(\d+):(\d+) - (?:error|warning) (TS\d+): (.*)`),
  tscGlobal: /^(?:error|fatal) (TS\d+): (.*)/,
  line: new RegExp(String.raw`^(?:vet: |# )?\s{0,8}${file}:(\d+):(?:(\d+):)? (.+)`),
  eslintHead: /^(?:[A-Za-z]:[\\/]|[./\w@-])[^\s:*?"<>|]*\.\w+$/,
  eslintLine: /^ {1,8}(\d+):(\d+) +(error|warning) +(.+)/,
  head: /^(?:error|warning)(?:\[(\w+)\])?: (.*)|^([A-Z]{1,6}\d{3,4}) (.*)/,
  arrow: new RegExp(String.raw`^ *--> ${file}:(\d+):(\d+)`),
  pytest: /^(FAILED|ERROR) ([^\s:]+\.py)(?:::(\S+))?(?: - (.*))?/,
  unittest: /^(?:FAIL|ERROR): (\w+) \((.*)\)/,
  goTest: /^ *--- FAIL: (\S+)/,
  tap: /^ *not ok \d+ -? ?(.+)/,
  spec: /^ *[✖✗×] (.+)/,
  jest: /^ +● (.+ › .+)/,
  mocha: /^ {2,}\d+\) (.+)/,
  pythonFile: /^ +File "([^"]+)", line (\d+)/,
  pythonError: /^(?:[\w.]*\.)?(\w*(?:Error|Exception|Warning))(?:: (.*))?$/,
} as const;

export interface ReadOutput {
  readonly findings: readonly CheckFinding[];
  /** The tool stopped before it had looked at everything. */
  readonly isCutShort: boolean;
}

export function readCheckOutput(output: string): ReadOutput {
  const found: CheckFinding[] = [];
  const take = (finding: CheckFinding) =>
    found.push({ ...finding, text: finding.text.trim().slice(0, longestText) });
  const lines = output.split("\n").map(plain);
  const isMocha = lines.some((line) => /^ +\d+ failing$/.test(line));
  let fileAbove: string | undefined;
  let head: { readonly code?: string; readonly text: string } | undefined;
  let python: { readonly path: string; readonly line: number } | undefined;
  /** A test that has failed, and whose reason may follow. */
  let failed: { readonly at: number } | undefined;
  let isCutShort = false;
  for (const line of lines) {
    const tsc = forms.tsc.exec(line) ?? forms.tscPretty.exec(line);
    if (tsc !== null) {
      const [, path = "", number, column, code = "", text = ""] = tsc;
      // After a mistake in the syntax it looks no further.
      if (/^TS1\d{3}$/.test(code)) isCutShort = true;
      take({ ...placed(path, number, column), code, text });
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
      take({ ...placed(fileAbove, eslint[1], eslint[2]), ...(code && { code }), text });
      continue;
    }
    const pytest = forms.pytest.exec(line);
    if (pytest !== null) {
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
      forms.goTest.exec(line) ??
      forms.tap.exec(line) ??
      forms.spec.exec(line) ??
      forms.jest.exec(line) ??
      (isMocha ? forms.mocha.exec(line) : null);
    if (test !== null) {
      const name = withoutTime(test[1] ?? "");
      if (!/^failing tests:?$|^\d+ problems? \(/.test(name)) take({ text: name });
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
      else take({ ...python, text });
      [python, failed] = [undefined, undefined];
      continue;
    }
    const begun = forms.head.exec(line);
    if (begun !== null) {
      const [code, text] = [begun[1] ?? begun[3], begun[2] ?? begun[4] ?? ""];
      head = { ...(code && { code }), text };
    }
    if (line === "") fileAbove = undefined;
    else if (forms.eslintHead.test(line)) fileAbove = line;
  }
  const hasSummary = lines.some((line) => forms.pytest.test(line));
  // The reasons in a report of pytest are told again in its summary, with the name of the test.
  const kept = hasSummary ? found.filter(({ text }) => !/^\w*(?:Error|Exception)$/.test(text)) : found;
  return { findings: kept, isCutShort };
}

/** Without colours, and no longer than a message. */
function plain(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are.
  const cut = line.slice(0, longestLine).replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "");
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

/** `error: …`, `F401 …`, `…  [attr-defined]`. */
function messageOf(line: string): { readonly code?: string; readonly text: string } {
  const text = line.replace(/^(?:fatal error|error|warning): /, "");
  const leading = /^([A-Z]{1,6}\d{3,4}) (.*)/.exec(text);
  if (leading !== null) return { code: leading[1] ?? "", text: (leading[2] ?? "").replace(/^\[\*\] /, "") };
  const at = text.endsWith("]") ? text.lastIndexOf(" [") : -1;
  const code = at < 0 ? undefined : text.slice(at + 2, -1);
  return code !== undefined && /^[\w/@-]+$/.test(code) ? { code, text: text.slice(0, at) } : { text };
}

/** The rule stands at the end, two blanks behind the message. */
function ruleOf(line: string): { readonly text: string; readonly code?: string } {
  const at = line.lastIndexOf("  ");
  const rule = at < 0 ? "" : line.slice(at + 2);
  return rule === "" || rule.includes(" ") ? { text: line } : { text: line.slice(0, at), code: rule };
}

/** How long a test took is another one each time. */
const withoutTime = (name: string): string => name.replace(/ \(\d[\d.]*m?s\)$/, "").replace(/ # .*/, "");
