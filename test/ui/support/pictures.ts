// Pictures in several themes, for whoever looks at them. They assert nothing, and changing the theme of VS Code costs seconds:
// in a run of whole kinds nobody looks, and only what failed is kept.
import { isUnseen } from "./unseen.ts";
import type { Theme, VsCode } from "./vscode.ts";

/** The last of the themes stays on. */
export async function takePictures(
  vscode: Pick<VsCode, "show" | "screenshot">,
  themes: readonly Theme[],
  nameOf: (theme: Theme) => string,
): Promise<void> {
  if (isUnseen) return;
  for (const theme of themes) {
    await vscode.show(theme);
    await vscode.screenshot(nameOf(theme));
  }
}
