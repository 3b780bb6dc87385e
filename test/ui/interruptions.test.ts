// What becomes of an answer that does not come to its end: a person stops it, or the window goes away under it.
import { strict as assert } from "node:assert";
import { cutAfterEvents } from "../sim/faults.ts";
import { text } from "../sim/script.ts";
import { bothExtensions, vscodeTest } from "./support/vscode-test.ts";

const long = Array.from({ length: 200 }, (_, index) => `Sentence ${index}.`).join(" ");

for (const extension of bothExtensions) {
  vscodeTest(
    `Escape stops an answer, keeps what had arrived and closes the connection (${extension})`,
    { extension },
    async (vscode, sim) => {
      const { composer, transcript } = vscode;
      await vscode.openChat();
      await vscode.setKey(sim.key);
      sim.reply(text(long), cutAfterEvents(12, "hang"));
      await vscode.ask("Tell me a lot.");
      await transcript.getByText("Sentence 0.").waitFor();
      await composer.press("Escape");
      await transcript.getByText("Stopped.").waitFor();
      await transcript.getByText("Sentence 0.").waitFor();
      sim.reply(text("As you like."));
      await vscode.ask("Enough, thank you.");
      await transcript.getByText("As you like.").waitFor();
    },
  );

  vscodeTest(
    `a window reloaded in the middle of an answer keeps its text, marks it interrupted, and keeps the draft (${extension})`,
    { extension },
    async (vscode, sim) => {
      const { composer, transcript } = vscode;
      await vscode.openChat();
      await vscode.setKey(sim.key);
      sim.reply(text(long), cutAfterEvents(12, "hang"));
      await vscode.ask("Tell me a lot.");
      await transcript.getByText("Sentence 0.").waitFor();
      await composer.fill("And then");
      await vscode.reload();
      await vscode.openChat();
      await transcript.getByText("Sentence 0.").waitFor();
      await transcript.getByText("The answer was interrupted.").waitFor();
      assert.equal(await composer.inputValue(), "And then");
      sim.reply(text("It was nothing."));
      await vscode.ask("Go on.");
      await transcript.getByText("It was nothing.").waitFor();
    },
  );
}
