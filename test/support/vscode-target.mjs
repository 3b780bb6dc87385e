// Which VS Code the extension-host tests run in: desktop VS Code where it can be downloaded and shown, the server build
// elsewhere. VSCODE_TEST_TARGET=electron|web decides; auto tries. PATCHBAY_VSCODE=oldest takes the oldest version that
// package.json allows.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { downloadAndUnzipVSCode, SilentReporter } from "@vscode/test-electron";
import { hasDisplay } from "./desktop.mjs";
import { prepareTools, toolsFolder } from "./tools.mjs";

const patience = 10_000;

/** Answers the program to hand to runTests(). */
export async function findVsCode() {
  const target = process.env.VSCODE_TEST_TARGET ?? "auto";
  if (!["auto", "electron", "web"].includes(target))
    throw new Error(`VSCODE_TEST_TARGET is auto, electron or web, not ${target}.`);
  const version = versionOf(process.env.PATCHBAY_VSCODE);
  if (target === "electron" || (target === "auto" && hasDisplay())) {
    try {
      return await downloadAndUnzipVSCode({
        ...{ version, cachePath: toolsFolder() },
        reporter: new SilentReporter(),
        timeout: patience,
      });
    } catch (error) {
      if (target === "electron") throw error;
      console.log("  Desktop VS Code cannot be downloaded here; the server build takes its place.");
    }
  }
  await prepareTools();
  return join(process.cwd(), "test/support/web-vscode.mjs");
}

function versionOf(wanted = "current") {
  if (!["current", "oldest"].includes(wanted))
    throw new Error(`PATCHBAY_VSCODE is current or oldest, not ${wanted}.`);
  if (wanted === "current") return "stable";
  return JSON.parse(readFileSync("package.json", "utf8")).engines.vscode.replace("^", "");
}
