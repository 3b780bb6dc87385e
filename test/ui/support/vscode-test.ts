// A UI test: a body that drives a VS Code, with a simulated service of its own, and a picture when it fails.
import { test } from "node:test";
import type { Simulator } from "../../sim/simulator.ts";
import { ledgerSettings } from "./ledger-settings.ts";
import { type Options, startService } from "./open-vscode.ts";
import { dropWindow, expectWindow, leaveWindow, takeWindow } from "./shared-windows.ts";
import type { VsCode } from "./vscode.ts";

export const bothExtensions = ["development", "packed"] as const;

type Body = (vscode: VsCode, sim: Simulator) => Promise<void>;

interface TestOptions extends Options {
  /** On what ships as well, where there is time for it. */
  readonly packedToo?: boolean;
  /** It is about parts of VS Code that the oldest one has not; test/README.md says which. */
  readonly isNotInOldest?: boolean;
}

export function vscodeTest(
  name: string,
  { packedToo = false, isNotInOldest = false, ...options }: TestOptions,
  body: Body,
): void {
  if (isNotInOldest && process.env["PATCHBAY_VSCODE"] === "oldest") return;
  const isLong = process.env["PATCHBAY_LONG"] !== undefined;
  if (packedToo && isLong) tryOut(`${name} (packed)`, { ...options, extension: "packed" }, body);
  tryOut(name, options, body);
}

function tryOut(name: string, options: Options, body: Body): void {
  const wanted = { settings: ledgerSettings, ...options };
  expectWindow(wanted);
  test(name, async (context) => {
    context.after(() => leaveWindow(wanted));
    const sim = await startService(options.assistant);
    context.after(() => sim.close());
    const vscode = await takeWindow(wanted, sim.url);
    try {
      await body(vscode, sim);
      sim.done();
    } catch (error) {
      await vscode.keepFailure(`failed ${name}`).catch(() => {});
      await dropWindow(vscode);
      throw error;
    }
  });
}
