// A UI test: a real VS Code with Patchbay in it and a simulated service outside, both for this test alone.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { createAssistant } from "../../sim/assistant/assistant.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { launchBrowser } from "../../support/browser.mjs";
import { prepareTools } from "../../support/tools.mjs";
import { installExtension, startVsCodeServer } from "../../support/vscode-server.mjs";
import { createVsCode, type VsCode } from "./vscode.ts";

export type ExtensionUnderTest = "development" | "packed";

export const bothExtensions: readonly ExtensionUnderTest[] = ["development", "packed"];

export interface Options {
  readonly extension?: ExtensionUnderTest;
  /** A folder that is copied; the original never changes. */
  readonly workspace?: string;
  /** The base address of the simulator is there unless these name another. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly trusted?: boolean;
  /** The simulator's built-in assistant answers what is not scripted. */
  readonly assistant?: boolean;
  readonly size?: { readonly width: number; readonly height: number };
}

/** test/run.mjs packs it before the UI tests begin. */
const vsix = resolve(".build/patchbay.vsix");

/** What keeps VS Code's own greetings and offers out of the way. */
const quiet = {
  "chat.disableAIFeatures": true,
  // As on the desktop; in a browser VS Code would save by itself.
  "files.autoSave": "off",
  "security.workspace.trust.startupPrompt": "never",
  "telemetry.telemetryLevel": "off",
  // The older name on purpose: for the newer one this build of VS Code takes its own default.
  "workbench.colorTheme": "Default Dark Modern",
  "workbench.startupEditor": "none",
};

export function vscodeTest(
  name: string,
  options: Options,
  body: (vscode: VsCode, sim: Simulator) => Promise<void>,
): void {
  test(name, async (context) => {
    const sim = await startSimulator(
      options.assistant === true ? { assistant: createAssistant({ pace: 0 }) } : {},
    );
    context.after(() => sim.close());
    const vscode = await openVsCode(context, { "patchbay.baseUrl": sim.url, ...options.settings }, options);
    try {
      await body(vscode, sim);
    } catch (error) {
      await vscode.screenshot(`failed ${name}`).catch(() => {});
      throw error;
    }
    sim.done();
  });
}

async function openVsCode(context: TestContext, settings: Record<string, unknown>, options: Options) {
  const { extension = "development", trusted = true, size = { width: 1200, height: 800 } } = options;
  const home = mkdtempSync(join(tmpdir(), "patchbay-ui-"));
  const workspace = join(home, "workspace");
  cpSync(options.workspace ?? "test/fixtures/workspace", workspace, { recursive: true });
  const tools = await prepareTools();
  if (extension === "packed") await installExtension({ tools, home, vsix });
  const server = await startVsCodeServer({
    tools,
    home,
    trusted,
    settings: { ...quiet, ...settings },
    ...(extension === "development" ? { extension: resolve(".") } : {}),
  });
  const browser = await launchBrowser(tools);
  context.after(async () => {
    await browser.close();
    await server.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  const page = await browser.newPage({ viewport: size });
  const vscode = createVsCode(page, workspace);
  await page.goto(server.url(workspace));
  await vscode.statusItem.waitFor();
  return vscode;
}
