// What a person does with VS Code and with Patchbay's panel, as functions. The only file that knows VS Code's DOM.
import { mkdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { patience } from "../../support/browser.mjs";
import { attempt, clickOnce, insist, nextFrame, until } from "./insist.ts";
import { drawEverything, isUnseen } from "./unseen.ts";

export type Theme = keyof typeof themes;

/** What the theme is called, and the class by which the workbench shows that it has arrived. */
const themes = {
  light: { label: "Light Modern", class: "light_modern" },
  dark: { label: "Dark Modern", class: "dark_modern" },
  contrast: { label: "Dark High Contrast", class: "hc_black" },
} as const;

export interface VsCode {
  readonly page: Page;
  /** The page inside Patchbay's chat view. */
  readonly chat: FrameLocator;
  /** The questions and answers in it, without what is only spoken. */
  readonly transcript: Locator;
  /** The box for the next question. */
  readonly composer: Locator;
  /** The button of the view that the page is in which opens the rest of its menu. */
  readonly chatMore: Locator;
  readonly statusItem: Locator;
  /** The copy that is open; tests look here for what changed on disk. */
  readonly workspace: string;
  /** Runs a command from the palette by its whole title. */
  command(title: string): Promise<void>;
  openChat(): Promise<void>;
  /** Opens a file of the workspace in whatever VS Code shows it in. */
  quickOpen(path: string): Promise<void>;
  /** Shows a file of the workspace in a text editor that has the focus. */
  openFile(path: string): Promise<Locator>;
  /** Saves what that editor shows. */
  save(): Promise<void>;
  setKey(key: string): Promise<void>;
  /** Chooses a model by its id, in the list below the box. */
  chooseModel(id: string): Promise<void>;
  ask(question: string, model?: string): Promise<void>;
  reload(): Promise<void>;
  show(theme: Theme): Promise<void>;
  /** Makes the side bar with the panel this wide. */
  resizePanel(width: number): Promise<void>;
  /**
   * Closes editors without saving, what lies below them, boxes and messages, begins a new conversation in the chat and sets
   * the address of the service.
   */
  beginAnew(url: string): Promise<void>;
  /** For whoever looks at it. Where nobody does, the window only goes on by a frame, so that no test is ahead of it there. */
  screenshot(name: string): Promise<void>;
  /** What is there when something has failed; every run keeps it. */
  keepFailure(name: string): Promise<void>;
}

/**
 * The two places of the chat view, of which every version of VS Code has one: a bar of its own, or the first place among the
 * lists of Patchbay. Nothing else here knows which it is.
 */
const places = {
  own: {
    view: "patchbay.chat",
    when: "!patchbay.chatInActivityBar",
    part: '.part:has([id="workbench.view.extension.patchbayMain"])',
    bar: ".composite.title",
  },
  amongLists: {
    view: "patchbay.chatActivityBar",
    when: "patchbay.chatInActivityBar",
    part: '.part:has([id="workbench.view.extension.patchbayTools"] .pane-header[aria-label^="Chat"])',
    bar: '.pane-header[aria-label^="Chat"]',
  },
} as const;

/** In VS Code 1.104; test/README.md says what differs there. */
export const isOldest = process.env["PATCHBAY_VSCODE"] === "oldest";

/**
 * The side bar that holds the chat, by the command and the key that show and hide it; the command that leads there; and
 * what tells a page in it from one in an editor.
 */
export const chatBar = isOldest
  ? {
      toggle: "View: Toggle Primary Side Bar Visibility",
      key: "Control+b",
      focus: "Patchbay Tools: Focus on Chat View",
      page: ":not([data-parent-flow-to-element-id])",
    }
  : {
      toggle: "View: Toggle Secondary Side Bar Visibility",
      key: "Control+Alt+b",
      focus: "Patchbay: Focus on Chat View",
      // It touches the right border of the window.
      page: ".webview-overlay-outer-right",
    };

/** The one key of ours: what is done between two tests, without a palette for each command of it. */
const anewKey = "Control+Alt+Shift+F9";

export const ourKeys = Object.values(places).map(({ view, when }) => ({
  key: anewKey.toLowerCase().replace("control", "ctrl"),
  command: "runCommands",
  when,
  args: {
    commands: [
      "notifications.clearAll",
      "workbench.action.closeAllEditors",
      // A terminal would leave little room for threads.
      "workbench.action.closePanel",
      "patchbay.chat.new",
      `${view}.focus`,
      { command: "patchbay.connection", args: "url" },
    ],
  },
}));

export function createVsCode(page: Page, workspace: string): VsCode {
  page.setDefaultTimeout(patience);
  const statusItem = page.locator('.statusbar-item[id="patchbay.patchbay.patchbay.status"]');
  const quickInput = page.locator(".quick-input-widget");
  const inPlace = (selector: (place: (typeof places)[keyof typeof places]) => string) =>
    page.locator(Object.values(places).map(selector).join(", "));
  const sideBar = inPlace(({ part }) => part);
  const chat = page
    .frameLocator('iframe.webview.ready[src*="extensionId=patchbay.patchbay"]')
    .frameLocator("iframe#active-frame");
  const composer = chat.getByRole("textbox", { name: "Ask about your code" });

  /** Opens the box by that key, types that, and takes the first row of this name. */
  async function takeRow(key: string, typed: string, name: string): Promise<void> {
    // A row that comes to lie below the pointer shows its hover, which lies upon the rows below it.
    await page.mouse.move(0, 0);
    const row = quickInput.getByRole("option", { name }).first();
    // The box holds what there was when it was opened, and closes when something else takes the focus.
    await attempt(async (timeout) => {
      if (await quickInput.isVisible()) await page.keyboard.press("Escape");
      await page.keyboard.press(key);
      await quickInput.locator('input[type="text"]').fill(typed, { timeout });
      await row.waitFor({ timeout });
      // Once more would be the command twice.
      await clickOnce(row, timeout);
    });
  }

  /** Among lists, the chat has little height until they are folded. Answers whether there were open ones. */
  async function foldLists(): Promise<boolean> {
    const lists = page.locator(
      `${places.amongLists.part} .pane-header[aria-expanded="true"]:not([aria-label^="Chat"])`,
    );
    const wereOpen = (await lists.count()) > 0;
    await until(
      async () => (await lists.count()) === 0,
      () =>
        lists
          .last()
          .click({ timeout: 2000 })
          .catch(() => undefined),
    );
    return wereOpen;
  }

  async function focusChat(): Promise<void> {
    // The key that the README names; where another one was just pressed, it may have been taken for the end of that.
    await attempt(async (timeout) => {
      await page.keyboard.press("Control+K");
      await page.keyboard.press("Control+Y");
      await composer.waitFor({ timeout });
    });
  }

  async function keepPicture(name: string): Promise<void> {
    const folder = resolve(".build/screenshots");
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name.replaceAll(/[^\w.-]+/g, "-")}.png`) });
  }

  const command = (title: string) => takeRow("F1", `>${title}`, title);
  const quickOpen = (path: string) => takeRow("Control+P", path, basename(path));

  async function chooseModel(id: string): Promise<void> {
    const row = chat.getByRole("menu", { name: "Model" }).getByText(id, { exact: true });
    // The menu closes when something else takes the focus.
    await attempt(async (timeout) => {
      if (!(await row.isVisible())) await chat.getByRole("button", { name: /^Model: / }).click({ timeout });
      await row.click({ timeout });
    });
  }

  return {
    page,
    chat,
    composer,
    transcript: chat.getByRole("log"),
    chatMore: inPlace(({ part, bar }) => `${part} ${bar} .action-label[aria-label*="More Actions"]`),
    statusItem,
    workspace,
    command,
    quickOpen,
    async openChat() {
      await focusChat();
      if (await foldLists()) await focusChat();
    },
    async openFile(path) {
      const editor = page.locator(`.monaco-editor.focused[data-uri$="${path}"]`);
      // What was asked for before, such as the chat, may take the focus once the file is open.
      await attempt(async (timeout) => {
        await quickOpen(path);
        await editor.waitFor({ timeout });
      });
      return editor;
    },
    async save() {
      await command("File: Save");
      await page.locator(".editor-group-container.active .tab.active:not(.dirty)").waitFor();
      await page.locator(".editor-group-container.active .monaco-editor.focused").first().waitFor();
    },
    async setKey(key) {
      await command("Patchbay: Connection…");
      await quickInput.getByRole("option", { name: "Set API key…" }).click();
      const box = quickInput.locator('input[type="password"]');
      await box.fill(key);
      await box.press("Enter");
      // The key is tested: the box goes, or says what is wrong.
      const refused = ".quick-input-widget:has-text('Enter another key.')";
      const answered = page.locator(`.quick-input-widget[style*="display: none"], ${refused}`);
      await answered.waitFor({ state: "attached" });
      if (await page.locator(refused).isVisible()) await box.press("Escape");
      await quickInput.waitFor({ state: "hidden" });
      // Only now do the commands that need a key stand in the palette.
      await statusItem.filter({ hasNotText: "Set up" }).waitFor();
    },
    chooseModel,
    async ask(question, model) {
      if (model !== undefined) await chooseModel(model);
      await composer.fill(question);
      await composer.press("Enter");
    },
    async reload() {
      await Promise.all([page.waitForEvent("load"), command("Developer: Reload Window")]);
      await statusItem.waitFor();
    },
    async show(theme) {
      await command("Preferences: Color Theme");
      const { label } = themes[theme];
      const row = quickInput.locator(".monaco-list-row.focused", { hasText: label });
      // What is typed too early goes into the palette that closes.
      await insist(() => quickInput.locator('input[type="text"]').fill(label), row);
      await page.keyboard.press("Enter");
      await quickInput.waitFor({ state: "hidden" });
      await page.locator(`.vscode-theme-defaults-themes-${themes[theme].class}-json`).first().waitFor();
    },
    async resizePanel(width) {
      const box = await sideBar.boundingBox();
      if (box === null) throw new Error("The chat is not there.");
      const isRight = box.x > 100;
      // The handle lies on the border between two parts, a few pixels wide.
      const [x, y] = [isRight ? box.x - 2 : box.x + box.width + 1, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + (box.width - width) * (isRight ? 1 : -1), y, { steps: 5 });
      await page.mouse.up();
    },
    async beginAnew(url) {
      const dropChanges = page.getByRole("dialog").getByRole("button", { name: "Don't Save" });
      const box = quickInput.locator("input").first();
      const asked = page.getByText("Service URL. Stored in your user settings");
      await page.keyboard.press("Escape");
      // The key goes to what has the focus, which may be on its way out.
      await insist(() => page.keyboard.press(anewKey), asked.or(dropChanges).first());
      if (await dropChanges.isVisible()) await dropChanges.click();
      const password = quickInput.locator('input[type="password"]');
      // A key that was taken twice closes the box and opens it again.
      await attempt(async (timeout) => {
        if (!(await password.isVisible())) {
          if (!(await asked.isVisible())) await page.keyboard.press(anewKey);
          await asked.waitFor({ timeout });
          await box.fill(url, { timeout });
          await box.press("Enter", { timeout });
        }
        await password.waitFor({ timeout });
      });
      await box.press("Escape");
      await quickInput.waitFor({ state: "hidden" });
      await chat.getByText(`Add an API key for ${url}.`).waitFor();
    },
    async screenshot(name) {
      if (isUnseen) await nextFrame(page);
      else await keepPicture(name);
    },
    async keepFailure(name) {
      drawEverything(page);
      await keepPicture(name);
    },
  };
}
