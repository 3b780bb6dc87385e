// How much structure a reply may have. Bytes alone do not tell: half a million items fit into ten megabytes, and each
// of them costs a hundred times its own length once it is understood.

export class ReplyTooLarge extends Error {}

/** Items of one reply, with their parts: a model that writes for an hour makes some hundreds. */
const maxPieces = 2_000;

export class PieceCount {
  #left = maxPieces;

  /** Throws ReplyTooLarge. */
  add(): void {
    this.#left--;
    if (this.#left < 0) throw new ReplyTooLarge();
  }
}

/** So many are read in a moment, and what a model can write at most has fewer. */
const maxMarks = 150_000;

/** Whether a JSON text has so many objects, lists and members that reading it would be felt. Marks in its texts count. */
export function isTooIntricate(json: string): boolean {
  if (json.length <= maxMarks) return false;
  let left = maxMarks;
  for (const mark of ["{", "[", ","])
    for (let at = json.indexOf(mark); at >= 0 && left > 0; at = json.indexOf(mark, at + 1)) left--;
  return left === 0;
}
