// The way from an empty VS Code to an answer, in the folder in development and in the package that users get.
import { text } from "../sim/script.ts";
import { bothExtensions, vscodeTest } from "./support/vscode-test.ts";

for (const extension of bothExtensions) {
  const settings = { "patchbay.baseUrl": "" };
  vscodeTest(
    `without a base address a card says so and has one button (${extension})`,
    { extension, settings },
    async (vscode) => {
      await vscode.openChat();
      await vscode.chat.getByText("Patchbay does not know the service's base address yet.").waitFor();
      await vscode.chat.getByRole("button", { name: "Set base address" }).click();
      await vscode.page.getByText("The address of the inference service.").waitFor();
    },
  );

  vscodeTest(
    `with a key, questions on svc-k3 and on svc-k2.6 are answered (${extension})`,
    { extension },
    async (vscode, sim) => {
      const { chat, transcript } = vscode;
      await vscode.openChat();
      await chat.getByText(`There is no API key for ${sim.url} yet.`).waitFor();
      await vscode.setKey(sim.key);
      sim.reply(text("A cart is a list of lines."));
      await vscode.ask("What is a cart?", "svc-k3");
      await transcript.getByText("A cart is a list of lines.").waitFor();
      sim.reply(text("Prices are kept in cents."));
      await vscode.ask("And a price?", "svc-k2.6");
      await transcript.getByText("Prices are kept in cents.").waitFor();
    },
  );
}
