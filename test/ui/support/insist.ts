// What comes to nothing at the wrong moment, done as often as it takes: a click on a row of a list that is drawn anew, a
// key for what has not yet been noticed, a palette that was opened before its command was offered. Nobody says when
// the moment is right.
import type { Locator } from "playwright-core";

/** In milliseconds; each time the double, so that a slow machine gets there too. */
const firstPatience = 3000;
const mostPatience = 30_000;

/** Does this until that is seen. It must do no harm to what is on its way already. */
export async function insist(act: () => Promise<unknown>, wanted: Locator): Promise<void> {
  for (let patience = firstPatience; patience < mostPatience; patience *= 2) {
    await act();
    if (await isSeen(wanted, patience)) return;
  }
  await act();
  await wanted.waitFor();
}

const isSeen = (wanted: Locator, timeout: number): Promise<boolean> =>
  wanted.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
