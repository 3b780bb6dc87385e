// The diff of all files, entered by keys alone.
import { until } from "./insist.ts";
import { isOldest, type VsCode } from "./vscode.ts";

/** Until it has the focus. VS Code 1.104 leaves that where it was when it opens one, and no command leads there. */
export async function enterDiffOfAll({ page }: Pick<VsCode, "page">): Promise<void> {
  const proposed = page.locator('.monaco-editor[data-uri^="patchbay-review"]');
  const focused = page.locator('.monaco-editor.focused[data-uri^="patchbay-review"]');
  await proposed.filter({ visible: true }).first().waitFor();
  if (isOldest)
    await until(
      () => focused.isVisible(),
      () => page.keyboard.press("Tab"),
    );
  await focused.waitFor();
}
