// The browser that shows VS Code to tests. It reaches this machine and nothing else, whatever a page asks for.
import { chromium } from "playwright-core";

const onlyLoopback = [
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]",
  "--no-proxy-server",
];

/** `options` are Playwright's own. */
export function launchBrowser({ browser }, options = {}) {
  return chromium.launch({
    executablePath: browser.executable,
    env: { ...process.env, ...browser.env },
    args: onlyLoopback,
    ...options,
  });
}
