// What the local estimate has learnt, kept between windows: a small file that is only a convenience. Two windows
// learn apart; the one that saves last is remembered.
import { join } from "node:path";
import type { FileSystem } from "../store/file-system.ts";
import { replaceText } from "../store/replace-file.ts";
import { LocalEstimate } from "../tokens/local-estimate.ts";
import { parseJson } from "../util/json.ts";

const fileName = "token-weights.json";

/** Begins anew when there is nothing that can be read. */
export async function recallEstimate(fs: FileSystem, folder: string): Promise<LocalEstimate> {
  const bytes = await fs.read(join(folder, fileName)).catch(() => undefined);
  return new LocalEstimate(bytes && parseJson(Buffer.from(bytes).toString("utf8")));
}

export async function rememberEstimate(
  fs: FileSystem,
  folder: string,
  estimate: LocalEstimate,
): Promise<void> {
  await fs.makeFolder(folder);
  await replaceText(fs, join(folder, fileName), JSON.stringify(estimate.save()));
}
