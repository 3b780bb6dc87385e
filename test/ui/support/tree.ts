// Rows of VS Code's trees, which are drawn anew whenever something changes: a click may come to nothing then.
import type { Locator } from "playwright-core";

const patience = 3000;

/** Folds a row, by as many clicks as it takes. */
export async function fold(row: Locator): Promise<void> {
  const folded = row.and(row.page().locator('[aria-expanded="false"]'));
  const isFolded = () =>
    folded.waitFor({ timeout: patience }).then(
      () => true,
      () => false,
    );
  do await row.click();
  while (!(await isFolded()));
}
