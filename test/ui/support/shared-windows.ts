// The windows of VS Code that the tests of one process use one after another: opening one costs more than most tests.
// Between two tests a window is tidied until it shows what a new one shows; after a failed test, and where it cannot be
// tidied, it is closed.
import { after } from "node:test";
import { type Options, openWindow, ordinarySize, type Window } from "./open-vscode.ts";
import type { VsCode } from "./vscode.ts";

interface Shared extends Window {
  readonly kind: string;
  close(): Promise<void>;
}

const windows: Shared[] = [];

/** How many tests have still to use a window of that kind. */
const expected = new Map<string, number>();

after(async () => {
  for (const { close } of windows.splice(0)) await close();
});

const kindOf = ({
  extension = "development",
  beside = "",
  trusted = true,
  workspace = "",
  settings = {},
}: Options): string => {
  const { "patchbay.baseUrl": _, ...others } = settings;
  return JSON.stringify([extension, beside, trusted, workspace, others]);
};

/** Says that a test is going to take such a window. */
export function expectWindow(options: Options): void {
  const kind = kindOf(options);
  expected.set(kind, (expected.get(kind) ?? 0) + 1);
}

/** Says that this test is over. A window that no other one expects is closed: open, it goes on taking memory and time. */
export async function leaveWindow(options: Options): Promise<void> {
  const kind = kindOf(options);
  const left = (expected.get(kind) ?? 0) - 1;
  expected.set(kind, left);
  if (left > 0) return;
  for (const { vscode } of windows.filter((one) => one.kind === kind)) await dropWindow(vscode);
}

/**
 * One that has this service's address and knows no key for it, whatever was done in it before. A test with an address
 * of its own in the settings gets a new window.
 */
export async function takeWindow(options: Options, url: string): Promise<VsCode> {
  const { size = ordinarySize } = options;
  const { "patchbay.baseUrl": ownAddress } = options.settings ?? {};
  const kind = kindOf(options);
  const shared = windows.find((one) => one.kind === kind);
  if (shared !== undefined) {
    const { vscode, restoreWorkspace } = shared;
    if (ownAddress === undefined && (await isTidied(vscode, size, url))) {
      restoreWorkspace();
      return vscode;
    }
    await dropWindow(vscode);
  }
  return open(kind, { ...options, settings: { "patchbay.baseUrl": url, ...options.settings } });
}

/** One that cannot be is no fault of the test that comes next; what it shows is kept to be looked at. */
async function isTidied(vscode: VsCode, size: typeof ordinarySize, url: string): Promise<boolean> {
  try {
    await vscode.page.setViewportSize(size);
    await vscode.beginAnew(url);
    return true;
  } catch (error) {
    await vscode.keepFailure("not tidied").catch(() => {});
    console.log(`A window could not be tidied; another one is opened. ${error}`);
    return false;
  }
}

export async function dropWindow(vscode: VsCode): Promise<void> {
  const at = windows.findIndex((one) => one.vscode === vscode);
  for (const { close } of at < 0 ? [] : windows.splice(at, 1)) await close();
}

async function open(kind: string, options: Options): Promise<VsCode> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    const window = await openWindow(options, (closer) => closers.push(closer));
    windows.push({ ...window, kind, close });
    return window.vscode;
  } catch (error) {
    await close();
    throw error;
  }
}
