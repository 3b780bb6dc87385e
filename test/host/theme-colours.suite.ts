// The colours of code, read from the theme that VS Code shows.
import { strict as assert } from "node:assert";
import { join } from "node:path";
import * as vscode from "vscode";
import type { ColourMessage } from "../../src/code-colours/colouring.ts";
import { createEditorColours } from "../../src/code-colours/editor/colour-sources.ts";
import { createThemeColours } from "../../src/code-colours/editor/theme-colours.ts";
import { silentLog } from "../../src/util/log.ts";

describe("the colours of code", () => {
  const write = (section: string, name: string, value: unknown) =>
    vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
  const theme = createThemeColours(silentLog);
  let previous: unknown;

  const shown = (keyword: string) =>
    new Promise<void>((resolve) => {
      const listening = theme.onDidChange(look);
      look();

      function look(): void {
        if (theme.current.keyword?.toLowerCase() !== keyword) return;
        listening.dispose();
        resolve();
      }
    });

  before(() => {
    previous = vscode.workspace.getConfiguration("workbench").inspect("colorTheme")?.globalValue;
  });
  after(async () => {
    await write("editor", "tokenColorCustomizations", undefined);
    await write("workbench", "colorTheme", previous);
    theme.dispose();
  });

  it("follow the user's theme, whichever extension provides it", async () => {
    await write("workbench", "colorTheme", "Monokai");
    await shown("#f92672");
    assert.equal(theme.current.comment?.toLowerCase(), "#88846f");
  });

  it("follow the files that a theme includes", async () => {
    await write("workbench", "colorTheme", "Default Dark+");
    await shown("#569cd6");
    assert.equal(theme.current.string?.toLowerCase(), "#ce9178");
    assert.equal(theme.current.function?.toLowerCase(), "#dcdcaa");
  });

  it("follow the user's own token colours", async () => {
    const textMateRules = [{ scope: "keyword", settings: { foreground: "#010203" } }];
    await write("editor", "tokenColorCustomizations", { textMateRules });
    await shown("#010203");
  });

  describe("the colours of the editor's grammars", () => {
    const told: ColourMessage[] = [];
    let hear = () => {};
    const page = {
      post(news: ColourMessage) {
        told.push(news);
        hear();
      },
    };
    const next = async (): Promise<ColourMessage> => {
      while (told.length === 0) await new Promise<void>((resolve) => (hear = resolve));
      return told.shift() ?? assert.fail();
    };
    const extension = vscode.extensions.getExtension("patchbay.patchbay")?.extensionPath ?? assert.fail();
    const colouring = createEditorColours(join(extension, "dist"), silentLog);
    after(() => colouring.dispose());

    /** The words of a line with their colours, in the theme's table. */
    async function coloured(
      language: string,
      line: string,
      table: Extract<ColourMessage, { type: "code-table" }>,
    ) {
      colouring.colour({ block: 1, table: table.table, language, from: 0, lines: [line], isEnd: true }, page);
      const news = await next();
      assert.ok(news.type === "code-lines", JSON.stringify(news));
      const [runs = []] = news.runs;
      let at = 0;
      return Array.from({ length: runs.length / 2 }, (_, index) => {
        const [length = 0, style = 0] = runs.slice(index * 2);
        at += length;
        const colour = style >> 4 < 512 ? (table.colours?.[style >> 4] ?? "plain") : "bracket";
        return `${line.slice(at - length, at).trim()} ${colour}`;
      });
    }

    it("follow the theme that a page names, and change when the person customizes it", async () => {
      colouring.show("Default Dark Modern", page);
      const table = await next();
      assert.ok(table.type === "code-table" && table.colours !== undefined);
      assert.deepEqual(await coloured("ts", "const x = f(1); // one", table), [
        "const #569CD6",
        "x #4FC1FF",
        "= #D4D4D4",
        "f #DCDCAA",
        "( bracket",
        "1 #B5CEA8",
        ") bracket",
        "; plain",
        "// one #6A9955",
      ]);
      assert.deepEqual(await coloured("shellscript", "echo $HOME", table), ["echo #DCDCAA", "$HOME #9CDCFE"]);
      await write("editor", "tokenColorCustomizations", { comments: "#010203" });
      let changed = await next();
      while (changed.type !== "code-table" || changed.colours?.includes("#010203") !== true)
        changed = await next();
      assert.deepEqual(
        (await coloured("ts", "// one", changed)).map((word) => word.slice(-7)),
        ["#010203"],
      );
    });

    it("are absent for an unknown theme", async () => {
      colouring.show("No Such Theme", page);
      const table = await next();
      assert.ok(table.type === "code-table" && table.colours === undefined);
    });
  });
});
