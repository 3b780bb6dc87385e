// "Add … to Chat": each puts something next to the question that is being written and shows the chat. Nothing is
// sent, and nothing is attached that a person could not see as a chip.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { commands } from "../manifest.ts";
import type { Attach } from "./attach.ts";
import { attachDiffOf, changedFiles } from "./diff-of-files.ts";

export interface AttachCommandNeeds {
  readonly attach: Attach;
  /** Puts it next to the question and shows the chat. */
  add(attachments: readonly Attachment[]): Promise<void>;
}

export function createAttachCommands({ attach, add }: AttachCommandNeeds) {
  const picked = (kind: Parameters<Attach["pick"]>[0]) => async () => add(await attach.pick(kind));
  /** The explorer and editor tabs say which files are meant; from the palette a person picks. */
  const named = (kind: "file" | "folder") => async (argument: unknown, all: unknown) => {
    const uris = (Array.isArray(all) && all.length > 0 ? all : [argument]).filter(
      (each): each is vscode.Uri => each instanceof vscode.Uri,
    );
    await add(
      await (uris.length > 0 ? attach.dropped(uris.map((uri) => uri.toString())) : attach.pick(kind)),
    );
  };
  return {
    [commands.attachSelection]: picked("selection"),
    [commands.attachFile]: named("file"),
    [commands.attachFolder]: named("folder"),
    [commands.attachSymbol]: picked("symbol"),
    [commands.attachProblems]: picked("problems"),
    [commands.attachTerminal]: picked("terminal"),
    [commands.attachDiff]: async (...resources: readonly unknown[]) => {
      const changed = changedFiles(resources);
      await add(await (changed.length > 0 ? attachDiffOf(changed) : attach.pick("diff")));
    },
    [commands.attachImage]: picked("image"),
    [commands.attachOpenEditors]: async () => add(await attach.openEditors()),
  };
}
