// How the panel and the status bar look in each kind of theme, narrow and wide: pictures for people in
// .build/screenshots/, and for the machine the promise that nothing is ever cut off sideways.
import { strict as assert } from "node:assert";
import { text } from "../sim/script.ts";
import { attempt } from "./support/insist.ts";
import { takePictures } from "./support/pictures.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const answer = `A cart holds lines; each line has a name, a price in cents and a quantity.
The total adds up cents times quantity, so that no rounding can creep in.`;

vscodeTest(
  "the panel fits into 300 and 900 pixels in light, dark and high contrast",
  { size: { width: 1500, height: 800 } },
  async (vscode, sim) => {
    const { chat, transcript } = vscode;
    await vscode.openChat();
    await vscode.setKey(sim.key);
    sim.reply(text(answer));
    await vscode.ask("How does the cart add up its total?", "svc-k3");
    await transcript.getByText("no rounding can creep in.").waitFor();
    for (const width of [300, 900]) {
      const html = await chat.locator("html").elementHandle();
      const panel = await html?.ownerFrame();
      assert.ok(panel);
      // The page hears of its new width a moment after the border was let go of.
      const isWide = (wide: number) => Math.abs(document.documentElement.clientWidth - wide) < 20;
      await attempt(async (timeout) => {
        await vscode.resizePanel(width);
        await panel.waitForFunction(isWide, width, { timeout });
      });
      const { shown, needed } = await panel.evaluate(() => {
        const { clientWidth, scrollWidth } = document.documentElement;
        return { shown: clientWidth, needed: scrollWidth };
      });
      assert.equal(needed, shown);
      await takePictures(vscode, ["light", "contrast", "dark"], (theme) => `panel-${width}-${theme}`);
    }
    await vscode.resizePanel(300);
  },
);
