// A path as the model or a person writes it → a file name in the workspace, or a refusal. The rules are the patch
// engine's; on top of them, a reader may name a folder.
import { type Message, message } from "../messages/message.ts";
import type { FileName } from "../patch/model.ts";
import { readPath } from "../patch/paths.ts";
import { refusePathSize, shortPath } from "../util/path-limits.ts";
import { trimEnd } from "../util/trim-end.ts";
import { Refusal } from "./refusal.ts";

export function locate(typed: string, folders: readonly string[]): FileName {
  const refuse = (why: Message) => new Refusal(message("noteRefused", { name: shortPath(typed), why }));
  const tooLarge = refusePathSize(typed);
  if (tooLarge !== undefined) throw refuse(message(tooLarge));
  const path = typed.slice(0, 1) + trimEnd(typed.slice(1), "/\\");
  const [only, ...others] = folders;
  if (only !== undefined && others.length === 0 && (path === "" || path === "."))
    return { folder: only, path: "" };
  if (others.length > 0 && folders.includes(path)) return { folder: path, path: "" };
  const named = readPath(path, folders);
  if (named.kind === "denied") throw refuse(named.why);
  return named.file;
}

/** The other way round: how a file name is written. */
export function pathOf({ folder, path }: FileName, folders: readonly string[]): string {
  if (folders.length < 2) return path === "" ? "." : path;
  return path === "" ? folder : `${folder}/${path}`;
}
