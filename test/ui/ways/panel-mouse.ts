// The panel in the hand of somebody who uses the mouse.
import type { VsCode } from "../support/vscode.ts";

export interface Mouse {
  /** On the last button of that name. */
  click(name: string | RegExp): Promise<void>;
  /** Until the conversation says it. */
  says(words: string): Promise<void>;
  /** Until the clipboard holds it: what copies does not tell when it is done. */
  copied(pattern: RegExp): Promise<void>;
}

export function createMouse({ page, chat, transcript }: VsCode): Mouse {
  return {
    click: (name) => chat.getByRole("button", { name }).last().click(),
    says: (words) => transcript.getByText(words).last().waitFor(),
    async copied(pattern) {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      const holds = async (source: string) => new RegExp(source).test(await navigator.clipboard.readText());
      await page.waitForFunction(holds, pattern.source);
    },
  };
}
