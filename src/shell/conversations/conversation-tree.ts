// Which conversations stand where in the list: those of this workspace at the top, the others in groups, a branch below where
// it came from. Worked out once for all rows, which VS Code asks for one by one. Pure.
import type { ConversationSummary } from "../../core/store/summary.ts";
import { groupRows } from "../../core/tokens/usage-rows.ts";

/** What has a row of its own above it. */
export type Group = "other" | "archived";

type Placed = Pick<ConversationSummary, "id" | "archived" | "place" | "branchOf">;

export interface ConversationTree<Summary> {
  /** All of a group, with branches; of none: those of this workspace. */
  inGroup(group: Group | undefined): readonly Summary[];
  /** Of them: those that stand below none. */
  roots(group: Group | undefined): readonly Summary[];
  branchesOf(id: string): readonly Summary[];
}

export function conversationTree<Summary extends Placed>(
  all: readonly Summary[],
  here: string,
): ConversationTree<Summary> {
  const groupOf = ({ archived, place }: Summary): Group | undefined =>
    archived ? "archived" : place === here ? undefined : "other";
  const groups = groupRows(all, groupOf);
  const byId = new Map(all.map((summary) => [summary.id, summary]));
  /** A branch whose trunk is not in the same group stands by itself. */
  const trunkOf = (summary: Summary): string | undefined => {
    const trunk = summary.branchOf === undefined ? undefined : byId.get(summary.branchOf);
    return trunk !== undefined && groupOf(trunk) === groupOf(summary) ? trunk.id : undefined;
  };
  const branches = groupRows(all, trunkOf);
  const inGroup = (group: Group | undefined) => groups.get(group) ?? [];
  return {
    inGroup,
    roots: (group) => inGroup(group).filter((summary) => trunkOf(summary) === undefined),
    branchesOf: (id) => branches.get(id) ?? [],
  };
}
