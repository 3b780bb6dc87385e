// Where the focus is inside the chat page, as context keys: the editor's own keys and menus depend on them.
import * as vscode from "vscode";
import type { PageFocus } from "../../bridge/protocol.ts";
import { contextKeys } from "../manifest.ts";

export interface PageFocusKeys {
  set(focus: PageFocus): void;
  /** The turn that commands about a turn mean. */
  readonly turn: string | undefined;
}

export function createPageFocus(): PageFocusKeys {
  let turn: string | undefined;
  const tell = (key: string, value: boolean) => void vscode.commands.executeCommand("setContext", key, value);
  return {
    set(focus) {
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
