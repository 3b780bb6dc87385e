// The colours of code, read from the theme that VS Code shows.
import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { silentLog } from "../../src/core/util/log.ts";
import { createThemeColours } from "../../src/shell/chat/theme-colours.ts";

describe("the colours of code", function () {
  this.timeout(120_000);
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

  it("are those of the user's theme, whichever extension brings it", async () => {
    await write("workbench", "colorTheme", "Monokai");
    await shown("#f92672");
    assert.equal(theme.current.comment?.toLowerCase(), "#88846f");
  });

  it("come through the files that a theme includes", async () => {
    await write("workbench", "colorTheme", "Default Dark+");
    await shown("#569cd6");
    assert.equal(theme.current.string?.toLowerCase(), "#ce9178");
    assert.equal(theme.current.function?.toLowerCase(), "#dcdcaa");
  });

  it("are the user's own where the user has written some", async () => {
    const textMateRules = [{ scope: "keyword", settings: { foreground: "#010203" } }];
    await write("editor", "tokenColorCustomizations", { textMateRules });
    await shown("#010203");
  });
});
