// Every action and every card of the panel, once by mouse and once by keyboard alone, in the folder in development and
// in the package that users get: each of the two ways in one of them, and with PATCHBAY_LONG in both. What no window can
// be brought to is tried in the page alone (test/page/panel).
import { bothExtensions, vscodeTest } from "../support/vscode-test.ts";
import { throughThePanelByKeyboard } from "./panel-by-keyboard.ts";
import { throughThePanelByMouse } from "./panel-by-mouse.ts";
import { settings } from "./settings.ts";

const isLong = process.env["PATCHBAY_LONG"] !== undefined;

for (const extension of bothExtensions) {
  const options = { extension, settings };
  if (isLong || extension === "packed")
    vscodeTest(
      `everything in the panel can be done with the mouse (${extension})`,
      options,
      throughThePanelByMouse,
    );
  if (isLong || extension === "development")
    vscodeTest(
      `everything in the panel can be done by keyboard alone (${extension})`,
      options,
      throughThePanelByKeyboard,
    );
}
