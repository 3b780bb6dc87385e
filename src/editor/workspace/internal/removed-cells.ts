// The cells that changes have removed from notebooks, so that undoing brings back what their text alone would lose:
// outputs, metadata, attachments and ids.
import type { NotebookCellData, Uri } from "vscode";
import type { NotebookCell } from "../../../patch/model.ts";

export interface RemovedCell {
  readonly uri: Uri;
  readonly cell: NotebookCell;
  readonly data: NotebookCellData;
}

/** Which cells may come into a notebook that is brought back to an earlier or later state. */
export interface ReturningCells {
  readonly cells: RemovedCells;
  /** Whether these are all: an undo brings no cell whose outputs nobody knows. What is applied again may be new. */
  readonly isOnly: boolean;
}

/** Requirements F16. */
const maxBytes = 50 * 1024 * 1024;

/** The cells removed in this window, up to a number of bytes. */
export class RemovedCells {
  #kept: (RemovedCell & { readonly step: number; readonly bytes: number })[] = [];
  #size = 0;
  #step = 0;

  /** Keeps cells that one step has removed, in their order. */
  remember(cells: readonly RemovedCell[]): void {
    this.#step += 1;
    for (const each of cells) {
      const bytes = sizeOf(each.data);
      this.#kept.push({ ...each, step: this.#step, bytes });
      this.#size += bytes;
    }
    const kept = this.#kept.findIndex(({ bytes }) => {
      if (this.#size <= maxBytes) return true;
      this.#size -= bytes;
      return false;
    });
    this.#kept = kept === -1 ? [] : this.#kept.slice(kept);
  }

  /** Finds cells by their text, each one once: first those that were removed last. */
  finder(uri: Uri): (cell: NotebookCell) => NotebookCellData | undefined {
    const own = this.#kept
      .filter((each) => each.uri.toString() === uri.toString())
      .sort((one, other) => other.step - one.step);
    return (cell) => {
      const at = own.findIndex((each) => isAlike(each.cell, cell));
      return at === -1 ? undefined : own.splice(at, 1)[0]?.data;
    };
  }
}

const isAlike = (one: NotebookCell, other: NotebookCell): boolean =>
  one.kind === other.kind && one.language === other.language && one.text === other.text;

function sizeOf({ value, metadata, outputs = [] }: NotebookCellData): number {
  const items = outputs.flatMap((output) => output.items);
  const texts = value.length + JSON.stringify(metadata ?? {}).length;
  return items.reduce((sum, { data }) => sum + data.byteLength, texts);
}
