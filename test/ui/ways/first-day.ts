// The way from an empty VS Code to answers, and what becomes of an answer that does not come to its end: one window,
// from the first minute on.
import { strict as assert } from "node:assert";
import { cutAfterEvents } from "../../sim/delivery-faults.ts";
import { text } from "../../sim/script.ts";
import { vscodeTest } from "../support/vscode-test.ts";
import { settings } from "./settings.ts";

const long = Array.from({ length: 200 }, (_, index) => `Sentence ${index}.`).join(" ");

export function theFirstDay(extension: "development" | "packed"): void {
  vscodeTest(
    `address and key are set, questions answered, one stopped, one cut off by a reload that keeps text and draft (${extension})`,
    { extension, settings: { "patchbay.baseUrl": "", ...settings } },
    async (vscode, sim) => {
      const { page, chat, transcript, composer } = vscode;
      const box = page.locator(".quick-input-widget input").first();
      // The chat is there, and what is written before there is a service stays. The key that sends begins the way to one.
      await chat.getByText("Connect to your service to get started.").waitFor();
      await composer.fill("What is a cart?");
      await composer.press("Enter");
      // A service that is not there is said where its URL is, and the key is kept for the next try.
      await box.fill("http://127.0.0.1:1");
      await page.getByText("Service URL. Stored in your user settings").waitFor();
      await box.press("Enter");
      await page.locator('.quick-input-widget input[type="password"]').fill(sim.key);
      await box.press("Enter");
      await page.getByText("Can't reach 127.0.0.1").waitFor();
      await box.fill(sim.url);
      await box.press("Enter");
      await page.locator('.quick-input-widget input[type="password"]').fill("not-the-key");
      await box.press("Enter");
      await page.getByText("Enter another key.").waitFor();
      await box.fill(sim.key);
      await box.press("Enter");
      await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
      await chat.locator("textarea:focus").waitFor();
      assert.equal(await composer.inputValue(), "What is a cart?");

      sim.reply(text("A cart is a list of lines."));
      await vscode.ask("What is a cart?", "svc-k3");
      await transcript.getByText("A cart is a list of lines.").waitFor();
      sim.reply(text("Prices are kept in cents."));
      await vscode.ask("And a price?", "svc-k2.6");
      await transcript.getByText("Prices are kept in cents.").waitFor();

      // Escape stops an answer, keeps what had arrived, and the next question is answered.
      sim.reply(text(long), cutAfterEvents(12, "hang"));
      await vscode.ask("Tell me a lot.", "svc-k3");
      await transcript.getByText("Sentence 0.").waitFor();
      await composer.press("Escape");
      await transcript.getByText("Stopped", { exact: true }).waitFor();
      await transcript.getByText("Sentence 0.").waitFor();
      sim.reply(text("As you like."));
      await vscode.ask("Enough, thank you.");
      await transcript.getByText("As you like.").waitFor();

      // A window reloaded in the middle of an answer shows the panel again by itself, with the text, marked interrupted,
      // and the draft.
      sim.reply(text("The first half of a thought that never"), cutAfterEvents(8, "hang"));
      await vscode.ask("Think aloud.");
      await transcript.getByText("The first half").waitFor();
      await composer.fill("And then");
      await vscode.reload();
      await transcript.getByText("The first half").waitFor();
      await transcript.getByText("Response interrupted. The partial response was kept.").waitFor();
      assert.equal(await composer.inputValue(), "And then");
      sim.reply(text("It was nothing."));
      await vscode.ask("Go on.");
      await transcript.getByText("It was nothing.").waitFor();
    },
  );
}
