// Rows of VS Code's trees, which are drawn anew whenever something changes: a click may come to nothing then.
import type { Locator } from "playwright-core";
import { insist } from "./insist.ts";

/** Folds a row, by as many clicks as it takes. */
export async function fold(row: Locator): Promise<void> {
  const folded = row.and(row.page().locator('[aria-expanded="false"]'));
  await insist(() => row.click(), folded);
}
