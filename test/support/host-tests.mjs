// Runs mocha suites inside a real extension host and believes only what the suites wrote themselves: a host that crashes
// can still end with 0, one that hangs does not end at all.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { takesTimes } from "./file-times.mjs";
import { furnishHostHome } from "./host-home.mjs";
import { start } from "./processes.mjs";
import { removeFolder } from "./remove-folder.mjs";
import { exactly, inShort, judgedLater } from "./suspects.mjs";
import { findVsCode } from "./vscode-target.mjs";

/** What nobody sees need not be drawn: half of the processor time of these tests was spent on that. */
const unseen = {
  "breadcrumbs.enabled": false,
  "editor.cursorBlinking": "solid",
  "editor.lightbulb.enabled": "off",
  "editor.minimap.enabled": false,
  "editor.occurrencesHighlight": "off",
  "editor.stickyScroll.enabled": false,
  "explorer.autoReveal": false,
  // Otherwise Git is started for the folder of every file that is shown.
  "git.autoRepositoryDetection": "subFolders",
  // One server for TypeScript is enough, and it fetches no types.
  "js/ts.tsserver.automaticTypeAcquisition.enabled": false,
  "js/ts.tsserver.useSyntaxServer": "never",
  // Otherwise all processes of the machine are gone through every two seconds.
  "remote.autoForwardPorts": false,
  "remote.autoForwardPortsSource": "output",
  "telemetry.telemetryLevel": "off",
  "window.commandCenter": false,
  "workbench.activityBar.location": "hidden",
  "workbench.editor.editorActionsLocation": "hidden",
  "workbench.editor.showTabs": "none",
  "workbench.layoutControl.enabled": false,
  "workbench.reduceMotion": "on",
  "workbench.startupEditor": "none",
  "workbench.statusBar.visible": false,
};

/** What the suites of test/several expect in one window: two folders of the same name, and two that are no local disk. */
export const severalFolders = ["one/shop", "two/shop", "test-memory:/memory", "test-fixed:/fixed"];

/**
 * `suites` is a folder of *.suite.cjs, of which `files` names those to run; `timeLimit` is for all of them together, in
 * milliseconds; `folders` are opened together in one window: names of new ones below a temporary folder, or addresses.
 * Answers { passed, failed, exitCode, output }. Tests in which the product holds the host for too long have to be run
 * `again`, and fail where that repeats; with `secondTry`, so do the few that failed.
 */
export async function runHostTests({ secondTry = false, ...asked }) {
  const runAgain = async (tests) => {
    const second = await runOnce({ ...asked, only: tests.map(exactly).join("|") });
    return { ...second, isWhole: second.passed + second.failed > 0 };
  };
  return judgedLater(await runOnce(asked), runAgain, secondTry);
}

async function runOnce({
  suites,
  files: named = /** @type {string[] | undefined} */ (undefined),
  timeLimit = 2_700_000,
  folders = /** @type {string[]} */ ([]),
  only = "",
}) {
  const vscodeExecutablePath = await findVsCode();
  const home = mkdtempSync(join(tmpdir(), "patchbay-host-"));
  const workspace = furnishHostHome(home, unseen);
  const opened = folders.length === 0 ? workspace : openTogether(home, folders);
  const files = { result: join(home, "result.json"), output: join(home, "output.txt") };
  const lines = [];
  const child = start(process.execPath, ["test/support/run-vscode.mjs", runTestsOptions()], {
    onLine: (line) => lines.push(line),
  });
  const exitCode = await withTimeLimit(child, timeLimit);
  const said = existsSync(files.output) ? [readFileSync(files.output, "utf8")] : [];
  if (exitCode === late) said.push(`The suites did not end within ${timeLimit / 1000} s.\n`);
  const {
    long = [],
    longest,
    all = [],
    names = [],
    times = [],
    ...total
  } = judge(exitCode, files.result, said);
  if (total.failed > 0) said.push(keepLog(lines));
  await removeFolder(home);
  if (longest !== undefined) said.push(inShort(all, longest));
  return { ...total, names, times, long, exitCode, output: said.join("") };

  function runTestsOptions() {
    return JSON.stringify({
      vscodeExecutablePath,
      extensionDevelopmentPath: process.cwd(),
      extensionTestsPath: resolve(".build/host/mocha.main.cjs"),
      extensionTestsEnv: {
        PATCHBAY_SUITES: resolve(suites),
        PATCHBAY_SUITES_FILES: JSON.stringify(named ?? null),
        PATCHBAY_SUITES_RESULT: files.result,
        PATCHBAY_SUITES_OUTPUT: files.output,
        PATCHBAY_SUITES_ONLY: only,
        ...(takesTimes() && { PATCHBAY_SUITES_STARTER: String(process.pid) }),
      },
      launchArgs: [
        opened,
        `--user-data-dir=${join(home, "user")}`,
        `--extensions-dir=${join(home, "extensions")}`,
      ],
    });
  }
}

function openTogether(home, folders) {
  const file = join(home, "several.code-workspace");
  const named = folders.map((folder) => {
    if (folder.includes(":")) return { uri: folder };
    mkdirSync(join(home, folder), { recursive: true });
    return { path: folder };
  });
  writeFileSync(file, JSON.stringify({ folders: named }));
  return file;
}

/** The exit code of what was not waited for. */
const late = 124;

async function withTimeLimit(child, timeLimit) {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.stop();
  }, timeLimit);
  const code = await child.exited;
  clearTimeout(timer);
  return isLate ? late : code;
}

function judge(exitCode, result, said) {
  const written = existsSync(result);
  if (!written) said.push(`The extension host ended (${exitCode}) before its suites did.\n`);
  const total = written ? JSON.parse(readFileSync(result, "utf8")) : { passed: 0, failed: 0 };
  if (total.failed === 0 && (exitCode !== 0 || total.passed === 0)) total.failed = 1;
  return total;
}

function keepLog(lines) {
  mkdirSync(".build", { recursive: true });
  writeFileSync(".build/host-failure.log", `${lines.join("\n")}\n`);
  return "What VS Code said is in .build/host-failure.log.\n";
}
