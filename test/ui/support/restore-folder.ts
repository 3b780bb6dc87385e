// Makes a folder hold what another one holds. What is the same already is not touched, so that nobody who watches it is
// told of changes that are none.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export function restoreFolder(folder: string, original: string): void {
  mkdirSync(folder, { recursive: true });
  for (const path of readdirSync(folder, { recursive: true }).map(String))
    if (!existsSync(join(original, path))) rmSync(join(folder, path), { recursive: true, force: true });
  for (const path of readdirSync(original, { recursive: true }).map(String)) {
    if (statSync(join(original, path)).isDirectory()) continue;
    const bytes = readFileSync(join(original, path));
    const copy = join(folder, path);
    if (existsSync(copy) && readFileSync(copy).equals(bytes)) continue;
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, bytes);
  }
}
