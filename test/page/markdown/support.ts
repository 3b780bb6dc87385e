// The static render page, open in Chromium, with everything that must not happen written down.
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { openBrowser, patience } from "../../support/browser.mjs";
import { buildRenderPage } from "../../support/render-page.ts";

export interface RenderPage {
  readonly page: Page;
  /** Requests to anywhere but the file itself. */
  readonly requests: string[];
  readonly errors: string[];
}

/** One page for the tests of one file. */
export async function openRenderPage(): Promise<RenderPage> {
  const [browser, file] = await Promise.all([
    openBrowser(),
    buildRenderPage(`.build/render-${process.pid}.html`),
  ]);
  after(() => browser.close());
  return openIn(browser, pathToFileURL(file).href);
}

async function openIn(browser: Browser, address: string): Promise<RenderPage> {
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  const requests: string[] = [];
  const errors: string[] = [];
  await page.route("**", (route) => {
    if (route.request().url() === address) return route.continue();
    requests.push(route.request().url());
    return route.abort();
  });
  page.on("pageerror", (error) => errors.push(error.stack ?? error.message));
  await page.goto(address);
  return { page, requests, errors };
}
