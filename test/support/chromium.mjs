// Which browser shows VS Code in tests: the one CHROME_PATH names, the one inside the npm package @sparticuz/chromium,
// or an installed one. The package's has no window and nothing around the page: VS Code in it costs a fifth less.
import { spawnSync } from "node:child_process";
import { accessSync, chmodSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { unpackPackage } from "./npm-package.mjs";
import { quietly } from "./processes.mjs";

const decompress = promisify(brotliDecompress);

const installed = {
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: [
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
  linux: ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"].flatMap((name) =>
    (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)),
  ),
};

export const installedBrowser = () => (installed[process.platform] ?? []).find(isExecutable);

export function namedBrowser() {
  const named = process.env.CHROME_PATH;
  if (named === undefined || named === "") return undefined;
  if (isExecutable(named)) return named;
  throw new Error(`CHROME_PATH names ${named}, which is not a program.`);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether the package has one for this machine. */
export const isPackaged = process.platform === "linux" && process.arch === "x64";

/** The newest version that declares Node 20. Its files are brotli streams, some of them tar archives. */
export const chromiumVersion = "143.0.4";

export async function buildChromium(into) {
  if (!isPackaged)
    throw new Error("It exists for Linux on x64 only: install Chrome, or name a browser in CHROME_PATH.");
  await unpackPackage(`@sparticuz/chromium@${chromiumVersion}`, "package/bin", into);
  const names = ["chromium", "al2023.tar", "fonts.tar", "swiftshader.tar"];
  await Promise.all(names.map((name) => unpackFile(into, name)));
  chmodSync(join(into, "chromium"), 0o755);
  const env = { ...missingLibraries(into), ...missingFonts() };
  writeFileSync(join(into, "browser.json"), JSON.stringify({ executable: "{home}/chromium", env }));
}

async function unpackFile(into, name) {
  const packed = join(into, `${name}.br`);
  writeFileSync(join(into, name), await decompress(readFileSync(packed)));
  rmSync(packed);
  if (!name.endsWith(".tar")) return;
  await quietly("tar", ["xf", name, "--no-same-owner"], { cwd: into });
  rmSync(join(into, name));
}

/** A bare machine has no NSS; the package brings one, which must not come before the machine's own. */
function missingLibraries(into) {
  const starts = (env) =>
    spawnSync(join(into, "chromium"), ["--version"], { env: { ...process.env, ...env } }).status === 0;
  if (starts({})) return {};
  if (starts({ LD_LIBRARY_PATH: join(into, "lib") })) return { LD_LIBRARY_PATH: "{home}/lib" };
  throw new Error("It does not start on this machine: install Chrome, or name a browser in CHROME_PATH.");
}

const missingFonts = () => (existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: "{home}" });
