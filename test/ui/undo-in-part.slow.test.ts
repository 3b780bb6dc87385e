// A person undoes an accepted patch after they have worked on: file by file from its row, and what stays is listed there.
import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "node:test";
import { patchCall, text } from "../sim/script.ts";
import { holds, insist } from "./support/insist.ts";
import type { VsCode } from "./support/vscode.ts";
import { vscodeTest } from "./support/vscode-test.ts";

const paths = ["src/cart.ts", "src/discount.ts", "src/undone.ts", "src/gone.ts"] as const;
const [typed, alone, plain, gone] = paths;
const rows = ["const one = 1;", "const two = 2;", "const three = 3;"];

const at = ({ workspace }: VsCode, path: string) => join(workspace, path);
const onDisk = (vscode: VsCode, path: string) => readFileSync(at(vscode, path), "utf8");

/** A comment below the first line, and one above the last. */
function update(path: string, content: string): readonly string[] {
  const lines = content.trimEnd().split("\n");
  const [first, last] = [lines[0] ?? "", lines.at(-1) ?? ""];
  return [
    ...[`*** Update File: ${path}`, "@@", ` ${first}`, "+// at the top"],
    ...["@@", `-${last}`, "+// at the end", `+${last}`, "*** End of File"],
  ];
}

describe("an accepted patch", () => {
  vscodeTest(
    "is undone file by file as far as possible, and its row opens the list of what was left",
    {},
    async (vscode, sim) => {
      const { page, transcript } = vscode;
      for (const path of [plain, gone]) writeFileSync(at(vscode, path), `${rows.join("\n")}\n`);
      const before = new Map(paths.map((path) => [path, onDisk(vscode, path)]));
      await vscode.openChat();
      await vscode.setKey(sim.key);
      const updates = [...before].flatMap(([path, content]) => update(path, content));
      sim.reply(patchCall(["*** Begin Patch", ...updates, "*** End Patch", ""].join("\n")));
      sim.reply(text("Done."));
      await vscode.ask("Comment them.", "svc-k3");
      const bar = vscode.chat.getByRole("region", { name: "Proposed changes" });
      await bar.locator("[data-armed]").getByRole("button", { name: "Accept All" }).click();
      await transcript.getByRole("group", { name: "Accepted", exact: true }).waitFor();

      await transcript.getByRole("button", { name: /^Accepted 4 files/ }).click();
      await transcript.getByRole("button", { name: `Undo in ${alone}` }).click();
      await holds(vscode, alone, before.get(alone) ?? "");
      await transcript.getByRole("group", { name: "Partly accepted" }).waitFor();
      assert.match(onDisk(vscode, plain), /at the top/);

      writeFileSync(at(vscode, typed), onDisk(vscode, typed).replace("// at the top", "// at the top, mine"));
      rmSync(at(vscode, gone));
      await transcript.locator("[data-armed]").getByRole("button", { name: "Undo", exact: true }).click();
      await transcript.getByText(/^Undone in 1 of 3 files\./).waitFor();
      await holds(vscode, plain, before.get(plain) ?? "");
      const left = (before.get(typed) ?? "").replace("\n", "\n// at the top, mine\n");
      await holds(vscode, typed, left);

      // By keyboard: to the list, along it, and to what would have been changed.
      const show = transcript.locator("[data-armed]").getByRole("button", { name: "Show What Was Left" });
      const list = page.locator(".quick-input-widget");
      await show.focus();
      await insist(
        () => show.press("Enter"),
        list.getByText("The same lines of src/cart.ts have changed since"),
      );
      await list.getByText("src/gone.ts has been deleted or renamed since").waitFor();
      await vscode.screenshot("what was left");
      await list.locator('input[type="text"]').fill("gone");
      await page.keyboard.press("Enter");
      await page.getByRole("tab", { name: "src/gone.ts (left as it is)" }).waitFor();
      await page.locator(".view-line").getByText("// at the end").first().waitFor();
      await vscode.screenshot("a file that was left");
    },
  );
});
