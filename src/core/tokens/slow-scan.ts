// The features of a long text without holding anybody up: a piece at a time, with a breath between pieces. Whoever
// wants something newer meanwhile aborts it.
import { addFeatures, type Features, noFeatures, scanText, withFeature } from "./features.ts";

/** Two milliseconds of scanning and a few of fetching the text. */
export const pieceLength = 256 * 1024;

const breath = () => new Promise<void>((resolve) => setImmediate(resolve));

/** `undefined`: aborted. Pieces should begin lines; they are fetched when it is their turn. */
export async function scanSlowly(
  pieces: Iterable<string>,
  signal: AbortSignal,
): Promise<Features | undefined> {
  const sum = noFeatures();
  let scanned = 0;
  for (const piece of pieces) {
    if (signal.aborted) return undefined;
    addFeatures(sum, scanText(piece));
    scanned += piece.length;
    if (scanned < pieceLength) continue;
    scanned = 0;
    await breath();
  }
  return signal.aborted ? undefined : withFeature(sum, "messages", 1);
}
