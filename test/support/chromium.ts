// Which Chromium page tests and benchmarks run in: the one CHROME_PATH names, an installed one, or the one that UI
// tests keep in .vscode-test (test/support/tools.mjs fetches it).
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { type Browser, chromium } from "playwright-core";

interface Program {
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
}

export function findChromium(): Program {
  const named = process.env["CHROME_PATH"];
  if (named !== undefined && named !== "") return { executable: named, env: {} };
  const installed = candidates().find(isExecutable);
  if (installed !== undefined) return { executable: installed, env: {} };
  const home = resolve(process.env["PATCHBAY_VSCODE_TEST"] ?? ".vscode-test", "browser");
  const description = join(home, "browser.json");
  if (existsSync(description))
    return JSON.parse(readFileSync(description, "utf8").replaceAll("{home}", home));
  throw new Error("There is no Chromium: name one in CHROME_PATH, or run `node test/run.mjs ui` once.");
}

/** A browser that reaches this machine and nothing else, whatever a page asks for. */
export function launchChromium(): Promise<Browser> {
  const { executable, env } = findChromium();
  return chromium.launch({
    executablePath: executable,
    env: { ...definedOnly(process.env), ...env },
    args: [
      "--no-sandbox",
      "--no-proxy-server",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
    ],
  });
}

function candidates(): readonly string[] {
  switch (process.platform) {
    case "darwin":
      return ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
    case "win32":
      return [
        "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
        "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
      ];
    default:
      return ["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"].flatMap((name) =>
        (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name)),
      );
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const definedOnly = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
