// The chat page in Chromium, connected through the real bridge to a small host. Whatever goes wrong inside the page
// (an exception, a refused resource, a request to elsewhere) fails the test that caused it.
import { AsyncResource } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { after } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { connectPage, type Port } from "../../../../src/bridge/page-connection.ts";
import type { ToPage } from "../../../../src/bridge/protocol.ts";
import { english } from "../../../../src/page/words/english.ts";
import type { Disposable } from "../../../../src/util/disposables.ts";
import { Emitter } from "../../../../src/util/emitter.ts";
import { silentLog } from "../../../../src/util/log.ts";
import { openBrowser } from "../../../support/browser.mjs";
import { pseudoBundle } from "../../../support/pseudo-locale.mjs";
import { chineseBundle } from "../../../support/sentences.mjs";
import { type Dictionary, type PageServer, servePage } from "./page-server.ts";
import { takeSheet } from "./sheet.ts";
import type { SmallHost } from "./small-host.ts";

export interface Panel {
  readonly page: Page;
  /** Exceptions, refusals by the policy, requests that left. A test takes out what it has brought about itself. */
  readonly mistakes: string[];
  /** Every message the page has posted, as it was posted. */
  readonly posted: readonly unknown[];
  /** Changes to these colours, as VS Code does in a page that is open. */
  putOn(theme: Theme): Promise<void>;
  /** Resolves when the page has drawn everything it was sent. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Recorded from VS Code (MIT, Microsoft): Light Modern and Dark Modern, Light 2026 and Dark 2026, Dark and Light High Contrast,
 * and Solarized Light, whose surfaces are all of one colour. From another extension: SynthWave '84 (MIT, Robb Owen), whose
 * widgets are translucent.
 */
export type Theme = (typeof themes)[number];

export const themes = [
  ...(["light", "dark", "light-2026", "dark-2026", "contrast", "light-contrast"] as const),
  ...(["solarized", "synthwave"] as const),
] as const;

export interface PanelOptions {
  readonly width?: number;
  readonly height?: number;
  readonly language?: string;
  /** The colours of VS Code; without it there are none. */
  readonly theme?: Theme;
  /** What the person asked of the whole machine. */
  readonly media?: { readonly forcedColors?: "active"; readonly reducedMotion?: "reduce" };
  /** What the page remembered when it was last closed. */
  readonly state?: unknown;
  /** The host is still starting: it says nothing. */
  readonly unanswered?: boolean;
  /** Done just before the page is opened: for whoever measures that. */
  before?(page: Page): Promise<void>;
}

/** Milliseconds for which the bridge collects text (src/bridge/page-connection.ts). */
const heldBack = 16;

let running: Promise<{ browser: Browser; server: PageServer }> | undefined;

/**
 * Panels of one process share a browser. A hook that is registered inside a test belongs to that test, so this one is
 * registered as the module was loaded, outside of all of them: the browser closes when the process has run its tests,
 * whether they passed or failed.
 */
const afterAllTests = AsyncResource.bind((close: () => Promise<void>) => after(close));

function start() {
  if (running === undefined) {
    running = Promise.all([openBrowser(), servePage(dictionaryOf)]).then(([browser, server]) => ({
      browser,
      server,
    }));
    afterAllTests(closeBrowser);
  }
  return running;
}

/** For a program that opens panels outside of tests; tests need not call it. */
export async function closeBrowser(): Promise<void> {
  const started = await running;
  running = undefined;
  await started?.browser.close();
  started?.server.server.close();
}

/** Whoever stands behind a page: a small host, or what the product puts there. */
export type Behind = SmallHost | { connect(port: Port): Disposable };

export async function openPanel(host: Behind, options: PanelOptions = {}): Promise<Panel> {
  const { browser, server } = await start();
  const { width = 400, height = 700, language = "en" } = options;
  const sheet = await takeSheet(browser);
  const { page } = sheet;
  const mistakes: string[] = [];
  const toHost = new Emitter<unknown>();
  const posted: unknown[] = [];
  sheet.hear({
    mistake: (what) => mistakes.push(what),
    request: (url) => {
      if (!url.startsWith(server.origin) && !url.startsWith("data:")) mistakes.push(`request to ${url}`);
    },
    message: (message) => {
      posted.push(message);
      toHost.fire(message);
    },
  });
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ forcedColors: null, reducedMotion: null, ...options.media });
  const scripts = [await page.addInitScript(pretendVsCode, options.state)];
  if (options.theme !== undefined)
    scripts.push(await page.addInitScript(putOnTheme, readTheme(options.theme)));

  let sending: Promise<unknown> = Promise.resolve();
  const post = (message: ToPage) => {
    sending = sending
      .then(() => page.evaluate((data) => window.postMessage(data, "*"), message))
      .catch(() => {});
  };
  const port = { post, onMessage: toHost.on };
  const connect = () => ("connect" in host ? host.connect(port) : connectPage(port, host, silentLog));
  const session = options.unanswered ? { dispose() {} } : connect();
  await options.before?.(page);
  await page.goto(`${server.origin}/?language=${language}`);
  await page.waitForFunction(() => document.querySelector(".app") !== null);

  const settled = async () => {
    // Of timers of this process that last the same, the one that began first ends first: what the host holds back for a
    // frame is on its way then, however busy the machine is. The page's own frames go by another clock.
    await Promise.all([
      page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))),
      wait(heldBack),
    ]);
    await sending;
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  };
  await settled();
  return {
    page,
    mistakes,
    posted,
    putOn: (theme) => page.evaluate(putOnTheme, readTheme(theme)),
    settled,
    async close() {
      session.dispose();
      await sending;
      await Promise.all(scripts.map((script) => script.dispose()));
      await sheet.giveBack();
      if (mistakes.length > 0) throw new Error(`The page made mistakes:\n${mistakes.join("\n")}`);
    },
  };
}

/** Runs in the page before anything of ours: what VS Code gives a page, and who hears that something was refused. */
function pretendVsCode(state: unknown): void {
  let kept: unknown = state;
  Object.assign(window, {
    keptState: () => kept,
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) =>
        (window as unknown as { tellHost(message: unknown): void }).tellHost(message),
      getState: () => kept,
      setState: (next: unknown) => {
        kept = next;
      },
    }),
  });
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
    console.error(`policy: ${violatedDirective} ${blockedURI}`);
  });
}

interface ThemeFile {
  readonly class: string;
  readonly variables: Readonly<Record<string, string>>;
}

const readTheme = (theme: Theme): ThemeFile =>
  JSON.parse(readFileSync(`test/fixtures/themes/${theme}.json`, "utf8"));

/** Runs in the page, also before there is one. */
function putOnTheme({ class: name, variables }: ThemeFile): void {
  const put = () => {
    const { style } = document.documentElement;
    style.cssText = "";
    for (const [key, value] of Object.entries(variables)) style.setProperty(key, value);
    style.background = variables["--vscode-sideBar-background"] ?? "";
    document.body.className = name;
  };
  if (document.body === null) document.addEventListener("DOMContentLoaded", put);
  else put();
}

function dictionaryOf(language: string): Dictionary {
  if (language === "zh-cn") return chineseBundle();
  return language === "qps-ploc" ? pseudoBundle(Object.values(english)) : {};
}
