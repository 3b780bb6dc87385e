// Real folders of a test, written from a table and told in full.
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";

/** By path below the folder; a text that begins with `-> ` is a link to what follows. */
export type FolderFiles = Readonly<Record<string, string>>;

export function writeFolder(folder: string, all: FolderFiles): void {
  for (const [path, text] of Object.entries(all)) {
    const place = join(folder, path);
    fs.mkdirSync(dirname(place), { recursive: true });
    if (text.startsWith("-> ")) fs.symlinkSync(text.slice(3), place);
    else fs.writeFileSync(place, text);
  }
}

/** The files below a folder that hold one of these words. */
export const filesHolding = (folder: string, words: readonly string[]): string[] =>
  fs.readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const place = join(folder, name);
    if (!fs.statSync(place).isFile()) return false;
    const text = fs.readFileSync(place, "utf8");
    return words.some((word) => text.includes(word));
  });

/** Everything below a folder: what it is, since when, and every byte. */
export function pictureOf(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const place = join(entry.parentPath, entry.name);
      const { ino, mode, nlink, mtimeNs, ctimeNs } = fs.lstatSync(place, { bigint: true });
      const text = entry.isSymbolicLink()
        ? fs.readlinkSync(place)
        : entry.isFile()
          ? fs.readFileSync(place)
          : "";
      const bytes = createHash("sha256").update(text).digest("hex");
      return [place, ino, mode, nlink, mtimeNs, ctimeNs, bytes].join(" ");
    })
    .sort();
}
