// A browser's page that panels use one after another: a page of its own for each costs more than most tests. Between two
// panels nothing is left on it, and it hears for nobody.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { patience } from "../../../support/browser.mjs";

/** Who is told what happens on the page: things that went wrong, addresses it asks for, messages it posts. */
export interface Listener {
  mistake(what: string): void;
  request(url: string): void;
  message(message: unknown): void;
}

export interface Sheet {
  readonly page: Page;
  hear(listener: Listener): void;
  giveBack(): Promise<void>;
}

const contexts = new WeakMap<Browser, Promise<BrowserContext>>();
const unused: Sheet[] = [];

/** A blank one, with the pointer outside of it. Whoever takes it gives it back. */
export async function takeSheet(browser: Browser): Promise<Sheet> {
  return unused.pop() ?? newSheet(browser);
}

async function newSheet(browser: Browser): Promise<Sheet> {
  const context = contexts.get(browser) ?? browser.newContext();
  contexts.set(browser, context);
  const page = await (await context).newPage();
  page.setDefaultTimeout(patience);
  let listener: Listener | undefined;
  page.on("pageerror", (error) => listener?.mistake(error.stack ?? error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") listener?.mistake(message.text());
  });
  page.on("request", (request) => listener?.request(request.url()));
  await page.exposeFunction("tellHost", (message: unknown) => listener?.message(message));
  const sheet: Sheet = {
    page,
    hear: (next) => {
      listener = next;
    },
    async giveBack() {
      listener = undefined;
      await page.mouse.move(-1, -1);
      await page.goto("about:blank");
      unused.push(sheet);
    },
  };
  return sheet;
}
