// Finished blocks stand in groups, and the browser skips the layout and paint of groups that nobody sees. A group gets
// that only when it is finished: a size that is remembered while text still arrives makes the scroll position drift.
import { h } from "../dom.ts";

const size = 32;

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
      // One block into the next group: the finished one has been laid out as it stays. A short text is not worth it.
      const all = groups.length > 1 ? groups.length : 0;
      const complete = ended ? all : Math.floor(Math.max(0, blocks - 1) / size);
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
