// Finished blocks stand in groups, and the browser skips the layout and paint of groups that nobody sees. A group gets
// that only when it is finished: a size that is remembered while text still arrives makes the scroll position drift.
import { h } from "../dom.ts";

const size = 32;
/**
 * Only turns near the reader are in the page: a guess at the height of what is out of sight costs more than it saves,
 * except in an answer so long that it is a conversation by itself.
 */
const enough = 4;

export interface Groups {
  /** Puts the block with this position into its group. */
  place(block: ChildNode, index: number): void;
  /** Blocks up to this one are settled. */
  settle(blocks: number, ended: boolean): void;
  /** Blocks from this one on are gone. */
  trim(blocks: number): void;
  clear(): void;
}

export function blockGroups(root: HTMLElement): Groups {
  let groups: HTMLElement[] = [];
  let finished = 0;
  return {
    place(block, index) {
      const at = Math.floor(index / size);
      const group = groups[at] ?? h("div", { class: "md-group" });
      if (groups[at] === undefined) {
        groups[at] = group;
        root.append(group);
      }
      group.append(block);
    },
    settle(blocks, ended) {
      if ((ended ? groups.length : Math.ceil(blocks / size)) < enough) return;
      // One block into the next group: the finished one has been laid out as it stays.
      const complete = ended ? groups.length : Math.floor(Math.max(0, blocks - 1) / size);
      for (; finished < complete; finished += 1) groups[finished]?.classList.add("md-finished");
    },
    trim(blocks) {
      for (const group of groups.splice(Math.ceil(blocks / size))) group.remove();
    },
    clear() {
      root.replaceChildren();
      groups = [];
      finished = 0;
    },
  };
}
