// A real VS Code with Patchbay in it, and a simulated service outside.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createAssistant } from "../../sim/assistant/assistant.ts";
import { type Simulator, startSimulator } from "../../sim/simulator.ts";
import { openBrowser } from "../../support/browser.mjs";
import { removeFolder } from "../../support/remove-folder.mjs";
import { prepareTools } from "../../support/tools.mjs";
import { installExtension, startVsCodeServer } from "../../support/vscode-server.mjs";
import { restoreFolder } from "./restore-folder.ts";
import { drawNothing, isUnseen } from "./unseen.ts";
import { createVsCode, ourKeys, type VsCode } from "./vscode.ts";

export interface Options {
  readonly extension?: "development" | "packed";
  /** The folder of another extension that runs beside it. */
  readonly beside?: string;
  /** A folder that is copied; the original never changes. */
  readonly workspace?: string;
  /** The service URL of the simulator is there unless these name another. */
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

export const ordinarySize = { width: 1200, height: 800 };

/** test/run.mjs packs it before the UI tests begin. */
const vsix = resolve(".build/patchbay.vsix");

/** What keeps VS Code's own greetings and offers out of the way. */
const quiet = {
  "chat.disableAIFeatures": true,
  // A frame costs a machine without graphics more than most that is tried here.
  "editor.cursorBlinking": "solid",
  "editor.minimap.enabled": false,
  "editor.occurrencesHighlight": "off",
  "editor.stickyScroll.enabled": false,
  // Our own key between two tests is not for the shell, wherever the last one has left the focus.
  "terminal.integrated.commandsToSkipShell": ["runCommands"],
  // As on the desktop; in a browser VS Code would save by itself.
  "files.autoSave": "off",
  // One server for TypeScript is enough, and it fetches no types.
  "js/ts.tsserver.automaticTypeAcquisition.enabled": false,
  "js/ts.tsserver.useSyntaxServer": "never",
  // Otherwise all processes of the machine are gone through every two seconds.
  "remote.autoForwardPorts": false,
  "remote.autoForwardPortsSource": "output",
  "security.workspace.trust.startupPrompt": "never",
  "telemetry.telemetryLevel": "off",
  // The older name on purpose: for the newer one this build of VS Code takes its own default.
  "workbench.colorTheme": "Default Dark Modern",
  // Settings and keys as tabs, as they were before there were boxes for them.
  "workbench.editor.useModal": "off",
  "workbench.reduceMotion": "on",
  "workbench.startupEditor": "none",
};

export interface Window {
  readonly vscode: VsCode;
  /** Makes the folder what it was when the window was opened. */
  restoreWorkspace(): void;
}

export const startService = (assistant = false): Promise<Simulator> =>
  startSimulator(assistant ? { assistant: createAssistant({ pace: 0 }) } : {});

/** Both for one use alone. `closeLater` is given everything that has to be closed, in the order in which it was opened. */
export async function openVsCode(
  options: Options,
  closeLater: (close: () => Promise<void>) => void,
): Promise<OpenVsCode> {
  const sim = await startService(options.assistant);
  closeLater(() => sim.close());
  const settings = { "patchbay.baseUrl": sim.url, ...options.settings };
  const { vscode } = await openWindow({ ...options, settings }, closeLater);
  return { vscode, sim };
}

export async function openWindow(
  options: Options,
  closeLater: (close: () => Promise<void>) => void,
): Promise<Window> {
  const { extension = "development", trusted = true, size = ordinarySize } = options;
  const { workspace: original = "test/fixtures/workspace", settings = {} } = options;
  const home = mkdtempSync(join(tmpdir(), "patchbay-ui-"));
  closeLater(() => removeFolder(home));
  const workspace = join(home, "workspace");
  restoreFolder(workspace, original);
  const tools = await prepareTools();
  if (extension === "packed") await installExtension({ tools, home, vsix });
  const server = await startVsCodeServer({
    tools,
    home,
    trusted,
    settings: { ...quiet, ...settings },
    keys: ourKeys,
    extension: [
      ...(extension === "development" ? [resolve(".")] : []),
      ...(options.beside === undefined ? [] : [resolve(options.beside)]),
    ],
  });
  closeLater(() => server.close());
  const browser = await openBrowser();
  closeLater(() => browser.close());
  const page = await browser.newPage({ viewport: size });
  if (isUnseen) await drawNothing(page);
  const vscode = createVsCode(page, workspace);
  await page.goto(server.url(workspace));
  await vscode.statusItem.waitFor();
  return { vscode, restoreWorkspace: () => restoreFolder(workspace, original) };
}
