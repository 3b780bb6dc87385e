// "Add Context…" and its like in menus: each puts something next to the question that is being written and shows the chat.
// Nothing is sent, and nothing is attached that a person could not see as a chip.
import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/attachment.ts";
import { commands } from "../manifest.ts";
import type { Attach } from "./attach.ts";
import { attachDiffOf, changedFiles } from "./diff-of-files.ts";

export interface AttachCommandDeps {
  readonly attach: Attach;
  /** Puts it next to the question and shows the chat. */
  add(attachments: readonly Attachment[]): Promise<void>;
}

export function createAttachCommands({ attach, add }: AttachCommandDeps) {
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
    [commands.addContext]: async () => {
      const title = vscode.l10n.t("Add Context");
      const chosen = await vscode.window.showQuickPick(choices(attach), { title });
      if (chosen !== undefined) await add(await chosen.take());
    },
    [commands.attachSelection]: picked("selection"),
    [commands.attachFile]: named("file"),
    [commands.attachFolder]: named("folder"),
    [commands.attachTerminal]: picked("terminal"),
    [commands.attachDiff]: async (...resources: readonly unknown[]) => {
      const changed = changedFiles(resources);
      await add(await (changed.length > 0 ? attachDiffOf(changed) : attach.pick("diff")));
    },
  };
}

interface Choice extends vscode.QuickPickItem {
  take(): Promise<readonly Attachment[]>;
}

function choices({ pick, openEditors }: Attach): Choice[] {
  const t = vscode.l10n.t;
  return [
    { label: `$(file) ${t("Files…")}`, take: () => pick("file") },
    { label: `$(folder) ${t("Folder…")}`, take: () => pick("folder") },
    { label: `$(symbol-class) ${t("Symbol…")}`, take: () => pick("symbol") },
    { label: `$(selection) ${t("Selection")}`, take: () => pick("selection") },
    { label: `$(files) ${t("Open Editors")}`, take: openEditors },
    { label: `$(warning) ${t("Problems")}`, take: () => pick("problems") },
    { label: `$(terminal) ${t("Terminal Text")}`, take: () => pick("terminal") },
    { label: `$(diff) ${t("Uncommitted Changes…")}`, take: () => pick("diff") },
    { label: `$(comment-discussion) ${t("Earlier Conversation…")}`, take: () => pick("conversation") },
    { label: `$(file-media) ${t("Image…")}`, take: () => pick("image") },
    { label: `$(link) ${t("Image from URL…")}`, take: () => pick("image-url") },
  ];
}
