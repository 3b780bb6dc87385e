// How much structure a reply may have. Bytes alone do not tell: half a million items fit into ten megabytes, and each
// of them costs a hundred times its own length once it is understood.

export class ReplyTooLarge extends Error {}

/** Items of one reply, with their parts: a model that writes for an hour makes some hundreds. */
const maxPieces = 2_000;

/** Throws ReplyTooLarge. */
export function limitPieces(count: number): void {
  if (count > maxPieces) throw new ReplyTooLarge();
}

/** What is smaller is read in a moment, whatever it is made of. */
const smallBytes = 128 * 1024;
/** Objects, lists and members; those in texts count too. What a model can write at most has fewer. */
const maxMarks = 150_000;
const maxEscapes = 1_200_000;
const [comma, brace, bracket, backslash] = [0x2c, 0x7b, 0x5b, 0x5c];

/** How much work a record will be that is still arriving. */
export class RecordWeight {
  #bytes = 0;
  #marks = 0;
  #escapes = 0;

  /** Throws ReplyTooLarge. */
  add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes <= smallBytes) return;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === comma || byte === brace || byte === bracket) this.#marks++;
      else if (byte === backslash) this.#escapes++;
    }
    if (this.#marks > maxMarks || this.#escapes > maxEscapes) throw new ReplyTooLarge();
  }

  reset(): void {
    this.#bytes = this.#marks = this.#escapes = 0;
  }
}
