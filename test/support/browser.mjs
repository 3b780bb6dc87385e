// The browser of the tests. It reaches this machine and nothing else, whatever a page asks for.
import { chromium } from "playwright-core";
import { prepareBrowser } from "./tools.mjs";

const onlyLoopback = [
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]",
  "--no-proxy-server",
];

const program = (browser, options) => ({
  executablePath: browser.executable,
  env: { ...process.env, ...browser.env },
  args: onlyLoopback,
  ...options,
});

/** `options` are Playwright's own. */
export function launchBrowser({ browser }, options = {}) {
  return chromium.launch(program(browser, options));
}

/** A browser for several programs at once: openBrowser() finds it by what is answered as `env`. */
export async function startSharedBrowser() {
  const server = await chromium.launchServer(program(await prepareBrowser()));
  return { env: { PATCHBAY_BROWSER: server.wsEndpoint() }, close: () => server.close() };
}

/** The shared browser if there is one, else one of our own. Closing it closes what was opened through it. */
export async function openBrowser() {
  const shared = process.env.PATCHBAY_BROWSER;
  if (shared !== undefined && shared !== "") return chromium.connect(shared);
  return launchBrowser({ browser: await prepareBrowser() });
}
