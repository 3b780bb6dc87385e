// A path as the model or a person writes it → a file name in the workspace, or a refusal. Relative to the workspace
// folder; with several folders it begins with the name of one.
import type { FileName } from "../workspace.ts";
import { Refusal } from "./refusal.ts";

export function locate(typed: string, folders: readonly string[]): FileName {
  const text = typed.replaceAll("\\", "/");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
  if (/[\u0000-\u001f\u007f:]/.test(text) || text.startsWith("/") || text.length > 4096)
    throw new Refusal(`"${typed}" is not a path inside the workspace.`);
  const names = text.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw new Refusal(`"${typed}" leaves the workspace.`);
  const [only, ...others] = folders;
  if (only === undefined) throw new Refusal("No folder is open.");
  if (others.length === 0) return { folder: only, path: names.join("/") };
  const [folder = "", ...rest] = names;
  if (!folders.includes(folder))
    throw new Refusal(`The path must begin with one of the folders: ${folders.join(", ")}.`);
  return { folder, path: rest.join("/") };
}

/** The other way round: how a file name is written. */
export function pathOf({ folder, path }: FileName, folders: readonly string[]): string {
  if (folders.length === 1) return path === "" ? "." : path;
  return path === "" ? folder : `${folder}/${path}`;
}
