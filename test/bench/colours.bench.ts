// Prints how much of the code in the chat has the colours of the editor, read from both in a real window: ten languages under six
// themes, two of them from other extensions, two of high contrast. And what the thread of colours costs. It fails nothing.
// `npm run bench -- colours "Dark Modern" html --differences` looks at those alone and tells what differs.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import type { Frame, Locator } from "playwright-core";
import { type ColourMessage, createColouring } from "../../src/code-colours/colouring.ts";
import { silentLog } from "../../src/util/log.ts";
import { text } from "../sim/script.ts";
import { unpackPackage } from "../support/npm-package.mjs";
import { removeFolder } from "../support/remove-folder.mjs";
import { prepareTools } from "../support/tools.mjs";
import { openVsCode } from "../ui/support/open-vscode.ts";
import type { VsCode } from "../ui/support/vscode.ts";

/** Each character of a line with its colour and style; blanks are left out. */
type Look = readonly (readonly [character: string, look: string])[];

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const tellsDifferences = process.argv.includes("--differences");
/** Those that were asked for, or all where none was. */
const chosenOf = (all: readonly string[]) =>
  all.some((each) => words.includes(each)) ? all.filter((each) => words.includes(each)) : all;
const languageOf = (file: string) => extname(file).slice(1);

const themes = chosenOf([
  ...["Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast"],
  ...["One Dark Pro", "Catppuccin Latte"],
]);
/** As VS Code names them to a page, where that is not what its list says. */
const idOf: Readonly<Record<string, string>> = {
  "Dark High Contrast": "Default High Contrast",
  "Light High Contrast": "Default High Contrast Light",
};
const samples = "test/fixtures/colours";
const every = readdirSync(samples).sort();
const languages = chosenOf(every.map(languageOf));
const files = every.filter((name) => languages.includes(languageOf(name)));
const print = (line: string) => process.stdout.write(`${line}\n`);
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`;

/** Letters from top to bottom, with the look that they have by the style of what holds them. */
function readLook(lines: Element[]): [string, string][] {
  const top = (line: Element) => (line instanceof HTMLElement ? Number.parseFloat(line.style.top) || 0 : 0);
  return lines
    .toSorted((a, b) => top(a) - top(b))
    .flatMap((line) => {
      const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      const found: [string, string][] = [];
      while (walker.nextNode()) {
        const { parentElement: around, textContent } = walker.currentNode;
        if (around === null) continue;
        const { color, fontStyle, fontWeight, textDecorationLine } = getComputedStyle(around);
        const look = [color, fontStyle, fontWeight, textDecorationLine].join(" ");
        for (const character of textContent ?? "") if (character.trim() !== "") found.push([character, look]);
      }
      return found;
    });
}

if (words.length === 0) await weighThread();
const closers: (() => Promise<void>)[] = [];
const folder = mkdtempSync(join(tmpdir(), "patchbay-colours-"));
closers.push(() => removeFolder(folder));
try {
  const { vscode, sim } = await openVsCode(
    {
      workspace: samples,
      beside: await otherThemes(join(folder, "themes")),
      size: { width: 1800, height: 1700 },
      settings: {
        "editor.semanticHighlighting.enabled": false,
        "editor.colorDecorators": false,
        "editor.links": false,
        "editor.matchBrackets": "never",
        "editor.renderWhitespace": "none",
        "editor.renderLineHighlight": "none",
        "editor.guides.indentation": false,
        "problems.visibility": false,
      },
    },
    (close) => closers.push(close),
  );
  await vscode.openChat();
  await vscode.setKey(sim.key);
  const fences = files.map((name) => `\`\`\`\`\`${languageOf(name)}\n${sampleOf(name)}\n\`\`\`\`\``);
  sim.reply(text(fences.join("\n\n")));
  await vscode.ask("Show them all.", "svc-k3");
  await vscode.transcript
    .locator(".md-code")
    .nth(files.length - 1)
    .waitFor();
  const element = await vscode.chat.locator("html").elementHandle();
  const page = await element?.ownerFrame();
  if (page === null || page === undefined) throw new Error("The chat has no frame.");
  // Brackets of a language inside another one get their colours once VS Code has read about it, and nobody says when.
  for (const name of files) await lookOfEditor(vscode, name);
  for (const theme of themes) {
    await showTheme(vscode, theme);
    await page.waitForFunction(
      (name) => document.body.dataset["vscodeThemeId"]?.endsWith(name) === true,
      idOf[theme] ?? theme,
    );
    const all = { same: 0, whole: 0 };
    const told: string[] = [];
    for (const [index, name] of files.entries()) {
      const inChat = await lookOfBlock(vscode.transcript.locator(".md-code").nth(index), page);
      const inEditor = await lookOfEditor(vscode, name);
      const same = inEditor.filter(
        ([character, look], at) => inChat[at]?.[0] === character && inChat[at]?.[1] === look,
      );
      all.same += same.length;
      all.whole += inEditor.length;
      if (tellsDifferences) tellDifferences(name, inEditor, inChat);
      told.push(`${languageOf(name)} ${percent(same.length, inEditor.length)}`);
    }
    print(
      `${theme.padEnd(22)} ${percent(all.same, all.whole).padStart(9)} of ${all.whole}   ${told.join(", ")}`,
    );
  }
} finally {
  for (const close of closers.reverse()) await close();
}

/** Each stretch that looks otherwise, with what stands around it. */
function tellDifferences(name: string, inEditor: Look, inChat: Look): void {
  const differs = inEditor.map(([character, look], at) => {
    const [other, otherLook] = inChat[at] ?? [];
    return character !== other || look !== otherLook;
  });
  const letters = (from: number, to: number) =>
    inEditor
      .slice(Math.max(0, from), to)
      .map(([character]) => character)
      .join("");
  for (let from = differs.indexOf(true); from >= 0; ) {
    const end = differs.indexOf(false, from);
    const to = end < 0 ? differs.length : end;
    const around = `${letters(from - 12, from)}[${letters(from, to)}]${letters(to, to + 12)}`;
    print(`  ${name} ${around}  editor ${inEditor[from]?.[1]}, chat ${inChat[from]?.join(" ")}`);
    from = differs.indexOf(true, to);
  }
}

/** What the thread adds to the process that it runs in, with VS Code's own grammars. */
async function weighThread(): Promise<void> {
  const { server } = await prepareTools();
  const extensions = join(server, "extensions");
  const contributions = readdirSync(extensions).flatMap((name) => {
    const manifest = join(extensions, name, "package.json");
    if (!existsSync(manifest)) return [];
    const { contributes = {} } = JSON.parse(readFileSync(manifest, "utf8"));
    return [
      { folder: join(extensions, name), grammars: contributes.grammars, languages: contributes.languages },
    ];
  });
  const weigh = () => process.memoryUsage().rss / 1024 / 1024;
  const before = weigh();
  let hear: (news: ColourMessage) => void = () => {};
  const next = () => new Promise<ColourMessage>((resolve) => (hear = resolve));
  const page = { post: (news: ColourMessage) => hear(news) };
  const file = join(extensions, "theme-defaults", "themes", "dark_modern.json");
  const brackets = { enabled: true, eachKindAlone: false };
  const colouring = createColouring({
    ...{ file: resolve("dist/colours.js"), engine: resolve("dist/onig.wasm"), log: silentLog },
    source: {
      contributions: () => contributions,
      theme: (name) => ({ file, name, brackets, customizations: undefined }),
    },
  });
  const began = performance.now();
  colouring.show("Dark Modern", page);
  await next();
  const table = performance.now() - began;
  const weights: number[] = [];
  const ordered = ["cart.ts", ...files.filter((name) => name !== "cart.ts")];
  for (const [block, name] of ordered.entries()) {
    const language = languageOf(name);
    const lines = sampleOf(name).split("\n");
    colouring.colour({ block, table: 1, language, from: 0, lines, isEnd: true }, page);
    await next();
    weights.push(weigh() - before);
  }
  print(`From the start of the thread to its table of colours: ${table.toFixed(0)} ms`);
  print(
    `Memory: TypeScript alone + ${weights[0]?.toFixed(0)} MB, ten languages + ${weights.at(-1)?.toFixed(0)} MB`,
  );
  await colouring.close();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  print(`  a second after its end + ${(weigh() - before).toFixed(0)} MB`);
}

function sampleOf(name: string): string {
  return readFileSync(join(samples, name), "utf8").trimEnd();
}

/** An extension that has themes of others, as they are published. */
async function otherThemes(into: string): Promise<string> {
  const [one, two] = [join(into, "one"), join(into, "two")];
  for (const each of [one, two]) mkdirSync(each, { recursive: true });
  await unpackPackage("tm-themes@1.12.12", "package/themes", one);
  await unpackPackage("@catppuccin/vscode@3.16.1", "package/themes", two);
  const contributes = {
    themes: [
      { id: "One Dark Pro", label: "One Dark Pro", uiTheme: "vs-dark", path: "./one/one-dark-pro.json" },
      { id: "Catppuccin Latte", label: "Catppuccin Latte", uiTheme: "vs", path: "./two/latte.json" },
    ],
  };
  const manifest = {
    name: "themes",
    publisher: "test",
    version: "0.0.1",
    engines: { vscode: "^1.104.0" },
    contributes,
  };
  writeFileSync(join(into, "package.json"), JSON.stringify(manifest));
  return into;
}

async function showTheme({ page, command }: VsCode, label: string): Promise<void> {
  await command("Preferences: Color Theme");
  await page.locator(".quick-input-widget input[type='text']").fill(label);
  await page.locator(".quick-input-widget .monaco-list-row.focused", { hasText: label }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}

async function lookOfBlock(block: Locator, page: Frame): Promise<Look> {
  await block.scrollIntoViewIfNeeded();
  const handle = await block.elementHandle();
  // The class of a colour names the table that it is of: all of them are of the newest.
  await page.waitForFunction(
    (root) => {
      const names = [...document.querySelectorAll(".md-lines [class^=code-]")].map(
        ({ className }) => className,
      );
      const newest = Math.max(...names.map((name) => Number(name.split("-")[1])));
      const own = [...(root?.querySelectorAll(".md-lines [class^=code-]") ?? [])];
      return own.length > 10 && own.every(({ className }) => className.startsWith(`code-${newest}-`));
    },
    handle,
    { polling: 200 },
  );
  return block.locator(".md-lines").evaluateAll(readLook);
}

async function lookOfEditor(vscode: VsCode, name: string): Promise<Look> {
  const editor = await vscode.openFile(name);
  const lines = editor.locator(".view-line");
  const wanted = sampleOf(name).replaceAll(/\s/g, "").length;
  for (let before = ""; ; ) {
    const look: Look = await lines.evaluateAll(readLook);
    // Tokens come later than letters: it is read until it stays as it is.
    const now = JSON.stringify(look);
    if (look.length === wanted && now === before && new Set(look.map(([, each]) => each)).size > 3)
      return look;
    before = now;
    await lines.first().waitFor();
    await vscode.page.waitForTimeout(300);
  }
}
