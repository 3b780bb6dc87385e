// Where the focus is inside the chat page, as context keys: the editor's own keys and menus depend on them.
import * as vscode from "vscode";
import type { PageFocus } from "../../bridge/protocol.ts";
import { contextKeys } from "../manifest.ts";

export interface PageFocusKeys {
  /** As this page says it. */
  set(focus: PageFocus, page: object): void;
  /** The turn that commands about a turn mean. */
  readonly turn: string | undefined;
}

export function createPageFocus(tell: (key: string, value: boolean) => unknown = setContext): PageFocusKeys {
  let turn: string | undefined;
  /** The page that somebody is in. */
  let inUse: object | undefined;
  return {
    set(focus, page) {
      // Two pages are heard in any order: that nobody is in one says nothing of the other.
      if (focus.area === "elsewhere" && inUse !== page) return;
      inUse = focus.area === "elsewhere" ? undefined : page;
      turn = focus.turn ?? turn;
      tell(contextKeys.chatFocused, focus.area !== "elsewhere");
      tell(contextKeys.composerFocused, focus.area === "composer");
      tell(contextKeys.turnFocused, focus.turn !== undefined);
      tell(contextKeys.codeFocused, focus.code === true);
    },
    get turn() {
      return turn;
    },
  };
}

const setContext = (key: string, value: boolean): void =>
  void vscode.commands.executeCommand("setContext", key, value);
