// A real VS Code with Patchbay in it and a simulated service outside, both for one use alone.
import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createAssistant } from "../../sim/assistant/assistant.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { launchBrowser } from "../../support/browser.mjs";
import { removeFolder } from "../../support/remove-folder.mjs";
import { prepareTools } from "../../support/tools.mjs";
import { installExtension, startVsCodeServer } from "../../support/vscode-server.mjs";
import { createVsCode, type VsCode } from "./vscode.ts";

export interface Options {
  readonly extension?: "development" | "packed";
  /** A folder that is copied; the original never changes. */
  readonly workspace?: string;
  /** The base address of the simulator is there unless these name another. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly trusted?: boolean;
  /** The simulator's built-in assistant answers what is not scripted. */
  readonly assistant?: boolean;
  readonly size?: { readonly width: number; readonly height: number };
}

export interface OpenVsCode {
  readonly vscode: VsCode;
  readonly sim: Simulator;
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

/** `closeLater` is given everything that has to be closed, in the order in which it was opened. */
export async function openVsCode(
  options: Options,
  closeLater: (close: () => Promise<void>) => void,
): Promise<OpenVsCode> {
  const { extension = "development", trusted = true, size = { width: 1200, height: 800 } } = options;
  const sim = await startSimulator(
    options.assistant === true ? { assistant: createAssistant({ pace: 0 }) } : {},
  );
  closeLater(() => sim.close());
  const home = mkdtempSync(join(tmpdir(), "patchbay-ui-"));
  closeLater(() => removeFolder(home));
  const workspace = join(home, "workspace");
  cpSync(options.workspace ?? "test/fixtures/workspace", workspace, { recursive: true });
  const tools = await prepareTools();
  if (extension === "packed") await installExtension({ tools, home, vsix });
  const server = await startVsCodeServer({
    tools,
    home,
    trusted,
    settings: { ...quiet, "patchbay.baseUrl": sim.url, ...options.settings },
    ...(extension === "development" ? { extension: resolve(".") } : {}),
  });
  closeLater(() => server.close());
  const browser = await launchBrowser(tools);
  closeLater(() => browser.close());
  const page = await browser.newPage({ viewport: size });
  const vscode = createVsCode(page, workspace);
  await page.goto(server.url(workspace));
  await vscode.statusItem.waitFor();
  return { vscode, sim };
}
