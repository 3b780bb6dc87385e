// The editor's context menu (right mouse button or Shift+F10) and the commands about code and links. VS Code reads from
// an attribute what the menu was opened on; the chosen command comes back as an act of the page.
import type { PageAct } from "../bridge/protocol.ts";
import type { Post } from "./render-context.ts";
import { drawSelected } from "./view/transcript/selected-text.ts";
import { strings } from "./words/strings.ts";

interface ContextMenuDeps {
  readonly post: Post;
  say(sentence: string): void;
  /** Announces that something did not go as the user expected. */
  tell(sentence: string): void;
  quote(text: string): void;
}

interface ContextMenu {
  handleCommand(what: MenuAct): void;
}

type MenuAct = keyof typeof codeActions | "copy-link" | "open-link" | "quote-selection";

/** The buttons of a code block by the command that presses them. */
const codeActions = {
  "copy-code": "copy",
  "insert-code": "insert",
  "new-file-from-code": "new-file",
  "propose-code": "propose",
  "paste-code": "terminal",
} as const satisfies Partial<Record<PageAct, string>>;

/** Longer selections are truncated, since they would not be quotations any more. */
const longestQuote = 20_000;

export function contextMenu(root: HTMLElement, { post, say, tell, quote }: ContextMenuDeps): ContextMenu {
  let code: Element | undefined;
  let link: string | undefined;
  let selected = "";

  root.addEventListener("focusin", ({ target }) => {
    code = around(target, ".md-code") ?? code;
  });
  // Runs before VS Code's own listener, which is on the document.
  root.addEventListener("contextmenu", ({ target }) => {
    const block = around(target, ".md-code");
    code = block ?? code;
    link = around(target, "[data-href]")?.dataset["href"];
    selected = selectionIn(root);
    const section = link !== undefined ? "link" : block !== undefined ? "code" : "text";
    root.dataset["vscodeContext"] = JSON.stringify({
      patchbaySection: around(target, "article") === undefined ? "page" : section,
      patchbaySelection: selected !== "",
    });
  });

  return {
    handleCommand(what) {
      switch (what) {
        case "copy-link":
          if (link === undefined) return;
          post({ type: "copy", text: link });
          say(strings.copied);
          break;
        case "open-link":
          if (link !== undefined) post({ type: "open-link", url: link });
          break;
        case "quote-selection":
          selected = selectionIn(root) || selected;
          if (selected !== "") quote(selected.slice(0, longestQuote));
          break;
        default:
          press(codeActions[what]);
      }
    },
  };

  /** Presses a button of the code block that has or last had the focus, or else of the last block on the page. */
  function press(action: string): void {
    const block = code?.isConnected === true ? code : [...root.querySelectorAll(".md-code")].at(-1);
    const button = block?.querySelector<HTMLElement>(`button[data-action="${action}"]`);
    if (button == null) tell(strings.noCode);
    else button.click();
  }
}

const around = (target: EventTarget | null, selector: string): HTMLElement | undefined =>
  (target instanceof Element ? target.closest<HTMLElement>(selector) : undefined) ?? undefined;

/** The selected text, if the selection is in the transcript. */
function selectionIn(root: HTMLElement): string {
  const selection = document.getSelection();
  const reading = root.querySelector(".reading");
  const isThere = selection !== null && reading?.contains(selection.anchorNode) === true;
  if (!isThere) return "";
  drawSelected(reading);
  return selection.toString().trim();
}
