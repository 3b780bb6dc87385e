// The browser of the tests. It reaches this machine and nothing else, whatever a page asks for.
import { chromium } from "playwright-core";
import { prepareBrowser } from "./tools.mjs";

const onlyLoopback = [
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]",
  "--no-proxy-server",
];

/** In milliseconds, for each step of a browser: a machine that is busy with other things may take its time. */
export const patience = 120_000;

/** `options` are Playwright's own. A browser that crashes while it starts is started once more: no page was in it yet. */
export async function launchBrowser({ browser }, options = {}) {
  const launch = () =>
    chromium.launch({
      executablePath: browser.executable,
      env: { ...process.env, ...browser.env },
      args: onlyLoopback,
      timeout: patience,
      ...options,
    });
  return await launch().catch((error) => {
    if (!/signal=SIG(?:SEGV|ABRT|TRAP)/.test(String(error))) throw error;
    return launch();
  });
}

/** One of our own: starting it costs less than reaching it through another program. */
export const openBrowser = async () => launchBrowser({ browser: await prepareBrowser() });
