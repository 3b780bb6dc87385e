// The editor's own menu on the right mouse button (or Shift+F10), and commands about code and links: VS Code asks an
// attribute what the menu was opened on, and the command that is chosen comes back as an act of the page.
import type { PageAct } from "../bridge/protocol.ts";
import type { Post } from "./turn-context.ts";
import { words } from "./words.ts";

export interface ContextMenuDeps {
  readonly post: Post;
  say(sentence: string): void;
  /** For what went otherwise than meant. */
  tell(sentence: string): void;
  quote(text: string): void;
}

export interface ContextMenu {
  obey(what: MenuAct): void;
}

export type MenuAct = keyof typeof codeActions | "copy-link" | "open-link" | "quote-selection";

/** The buttons of a code block, by what a command calls them. */
const codeActions = {
  "copy-code": "copy",
  "insert-code": "insert",
  "new-file-from-code": "new-file",
  "propose-code": "propose",
  "paste-code": "terminal",
} as const satisfies Partial<Record<PageAct, string>>;

/** More than this is no quotation. */
const longestQuote = 20_000;

export function contextMenu(root: HTMLElement, { post, say, tell, quote }: ContextMenuDeps): ContextMenu {
  let code: Element | undefined;
  let link: string | undefined;
  let selected = "";

  root.addEventListener("focusin", ({ target }) => {
    code = around(target, ".md-code") ?? code;
  });
  // Before VS Code's own listener, which stands on the document.
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
    obey(what) {
      switch (what) {
        case "copy-link":
          if (link === undefined) return;
          post({ type: "copy", text: link });
          say(words.copied);
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

  /** The block that has the focus or had it last; else the last one there is. */
  function press(action: string): void {
    const block = code?.isConnected === true ? code : [...root.querySelectorAll(".md-code")].at(-1);
    const button = block?.querySelector<HTMLElement>(`button[data-action="${action}"]`);
    if (button == null) tell(words.noCode);
    else button.click();
  }
}

const around = (target: EventTarget | null, selector: string): HTMLElement | undefined =>
  (target instanceof Element ? target.closest<HTMLElement>(selector) : undefined) ?? undefined;

/** What is selected in the conversation. */
function selectionIn(root: HTMLElement): string {
  const selection = document.getSelection();
  const reading = root.querySelector(".reading");
  const isThere = selection !== null && reading?.contains(selection.anchorNode) === true;
  return isThere ? selection.toString().trim() : "";
}
