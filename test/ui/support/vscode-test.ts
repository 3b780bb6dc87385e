// A UI test: a body that drives a VS Code of its own, and a picture of it when it fails.
import { test } from "node:test";
import type { Simulator } from "../../sim/simulator.ts";
import { type Options, openVsCode } from "./open-vscode.ts";
import type { VsCode } from "./vscode.ts";

export const bothExtensions = ["development", "packed"] as const;

export function vscodeTest(
  name: string,
  options: Options,
  body: (vscode: VsCode, sim: Simulator) => Promise<void>,
): void {
  test(name, async (context) => {
    const closers: (() => Promise<void>)[] = [];
    context.after(async () => {
      for (const close of closers.reverse()) await close();
    });
    const { vscode, sim } = await openVsCode(options, (close) => closers.push(close));
    try {
      await body(vscode, sim);
    } catch (error) {
      await vscode.screenshot(`failed ${name}`).catch(() => {});
      throw error;
    }
    sim.done();
  });
}
