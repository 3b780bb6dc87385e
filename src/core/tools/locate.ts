// A path as the model or a person writes it → a place in the workspace, or a refusal. Relative to the workspace
// folder; with several folders it begins with the name of one.
import type { Folder, Place } from "../workspace.ts";
import { Refusal } from "./refusal.ts";

export function locate(typed: string, folders: readonly Folder[]): Place {
  const text = typed.replaceAll("\\", "/");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused.
  if (/[\u0000-\u001f\u007f:]/.test(text) || text.startsWith("/") || text.length > 4096)
    throw new Refusal(`"${typed}" is not a path inside the workspace.`);
  const names = text.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw new Refusal(`"${typed}" leaves the workspace.`);
  const [only, ...others] = folders;
  if (only === undefined) throw new Refusal("No folder is open.");
  const named = folders.find(({ name }) => name === names[0]);
  if (others.length === 0) return { folder: only.name, path: names.join("/") };
  if (named === undefined)
    throw new Refusal(
      `The path must begin with one of the folders: ${folders.map(({ name }) => name).join(", ")}.`,
    );
  return { folder: named.name, path: names.slice(1).join("/") };
}

/** The other way round: how a place is written. */
export function pathOf({ folder, path }: Place, folders: readonly Folder[]): string {
  if (folders.length === 1) return path === "" ? "." : path;
  return path === "" ? folder : `${folder}/${path}`;
}
