// The bytes of files that were deleted, so that undoing brings back what text alone would lose.
import type { Uri } from "vscode";
import type { PreEditState } from "./pre-edit-state.ts";

/** Requirements F16. */
const maxBytes = 50 * 1024 * 1024;

/** The bytes of files deleted in this window: restoring the text alone would lose the encoding. */
export class DeletedBytes {
  readonly #kept = new Map<string, { readonly text: string; readonly bytes: Uint8Array }>();
  #size = 0;

  remember(states: readonly PreEditState[]): void {
    for (const { change, uri, bytes } of states) {
      if (change.kind !== "delete" || bytes === undefined) continue;
      this.#drop(uri.toString());
      this.#kept.set(uri.toString(), { text: change.base.text, bytes });
      this.#size += bytes.byteLength;
    }
    for (const name of [...this.#kept.keys()]) if (this.#size > maxBytes) this.#drop(name);
  }

  /** The bytes of exactly this text at this place. */
  readonly find = (uri: Uri, text: string): Uint8Array | undefined => {
    const known = this.#kept.get(uri.toString());
    return known?.text === text ? known.bytes : undefined;
  };

  #drop(name: string): void {
    this.#size -= this.#kept.get(name)?.bytes.byteLength ?? 0;
    this.#kept.delete(name);
  }
}
