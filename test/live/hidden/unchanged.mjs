// Whether folders are as they were: node unchanged.mjs <hash> <ending> <folder>… Other files in them do not count.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [expected, ending, ...folders] = process.argv.slice(2);
const hash = createHash("sha256");
for (const folder of folders) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(ending));
  for (const name of names.sort()) hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
}
const found = hash.digest("hex").slice(0, 16);
if (found !== expected) throw new Error(`${folders.join(" ")} has changed: ${found}`);
