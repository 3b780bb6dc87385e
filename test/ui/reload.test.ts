// What is there after the window has gone in the middle of an answer: everything a person had seen and typed.
import { cutAfterEvents } from "../sim/faults.ts";
import { text } from "../sim/script.ts";
import { bothExtensions, vscodeTest } from "./support/vscode-test.ts";

for (const extension of bothExtensions) {
  vscodeTest(
    `a reload in the middle of an answer keeps the text, marked interrupted, and the draft (${extension})`,
    { extension },
    async (vscode, sim) => {
      const { chat } = vscode;
      await vscode.openChat();
      await vscode.setKey(sim.key);
      sim.reply(text("The first half of a thought that never"), cutAfterEvents(8, "hang"));
      await vscode.ask("Think aloud.");
      await chat.getByText("The first half").waitFor();
      await chat.getByRole("textbox").fill("and what about");
      await vscode.reload();
      await vscode.openChat();
      await chat.getByText("The first half").waitFor();
      await chat.getByText("interrupted", { exact: false }).first().waitFor();
      const draft = await chat.getByRole("textbox").inputValue();
      if (draft !== "and what about") throw new Error(`The draft was ${JSON.stringify(draft)}.`);
      sim.reply(text("It was nothing."));
      await vscode.ask("Go on.");
      await chat.getByText("It was nothing.").waitFor();
    },
  );
}
