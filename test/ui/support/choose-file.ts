// VS Code's own dialog for files. It opens where the last one ended, in whichever test that was, and in the box of the
// list before it: so the whole path is typed until the file is on its list.
import { basename } from "node:path";
import { insist, until } from "./insist.ts";
import type { VsCode } from "./vscode.ts";

export async function chooseFile({ page }: VsCode, path: string): Promise<void> {
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: basename(path) });
  await insist(() => page.locator('.quick-input-widget input[type="text"]').fill(path), row);
  // The folder's own list may show it, too, and is drawn anew when the path has arrived; a row that comes to lie below the
  // pointer shows its hover, which lies upon the others until the pointer goes away; and a closed list keeps its rows.
  await until(
    async () => (await row.filter({ visible: true }).count()) === 0,
    async () => {
      await page.mouse.move(0, 0);
      await row.click({ timeout: 2000 }).catch(() => undefined);
    },
  );
}
