// Proposals of which it is known what breaks them, played: for each the changes, which of them require another one, which
// cannot work without another one, which break a check, and how unsteady that check is.
import type {
  BreakingSearch,
  CheckExtent,
  PartOutcome,
} from "../../src/evidence/internal/smallest-breaking-set.ts";

export interface BreakingProposal {
  readonly name: string;
  readonly changes: number;
  /** Each set breaks the check once all of it is there. */
  readonly breaks: readonly (readonly number[])[];
  /** The first cannot be there without the second. */
  readonly requires?: readonly (readonly [number, number])[];
  /** Without the second, the first fails for a reason of its own. */
  readonly needs?: readonly (readonly [number, number])[];
  /** How often the check fails although nothing is wrong. */
  readonly failsBy?: number;
  /** How often it passes although something is wrong. */
  readonly passesBy?: number;
}

const one = (changes: number, culprit: number): BreakingProposal => ({
  name: `change ${culprit} of ${changes}`,
  changes,
  breaks: [[culprit]],
});

const sizes = [2, 3, 4, 7, 9, 10, 16, 33, 100];

export const breakingProposals: readonly BreakingProposal[] = [
  ...sizes.flatMap((size) => [one(size, 0), one(size, size - 1), one(size, Math.floor(size / 2))]),
  ...sizes.slice(1).map((size) => ({
    ...{ name: `two of ${size} on their own`, changes: size },
    breaks: [[Math.floor(size / 3)], [size - 1]],
  })),
  { name: "the first two of 20", changes: 20, breaks: [[0], [1]] },
  { name: "the last two of 20", changes: 20, breaks: [[18], [19]] },
  { name: "both ends of 64", changes: 64, breaks: [[0], [63]] },
  { name: "both of 2", changes: 2, breaks: [[0], [1]] },
  { name: "three of 12", changes: 12, breaks: [[2], [6], [11]] },
  { name: "five of 30", changes: 30, breaks: [[1], [7], [13], [20], [29]] },
  { name: "all of 6", changes: 6, breaks: [[0], [1], [2], [3], [4], [5]] },
  ...[2, 5, 9, 24, 50].map((size) => ({
    ...{ name: `a pair of ${size}`, changes: size, breaks: [[0, size - 1]] },
  })),
  { name: "neighbours among 11", changes: 11, breaks: [[4, 5]] },
  { name: "three of 9 together", changes: 9, breaks: [[1, 4, 7]] },
  { name: "a pair and one alone", changes: 14, breaks: [[2, 9], [5]] },
  {
    name: "two pairs of 16",
    changes: 16,
    breaks: [
      [0, 7],
      [3, 12],
    ],
  },
  {
    name: "pairs with one in common",
    changes: 10,
    breaks: [
      [2, 5],
      [2, 8],
    ],
  },
  {
    name: "changes of a moved file",
    changes: 9,
    breaks: [[5]],
    requires: [
      [4, 3],
      [5, 3],
      [6, 3],
    ],
  },
  {
    name: "the move itself",
    changes: 9,
    breaks: [[3]],
    requires: [
      [4, 3],
      [5, 3],
    ],
  },
  {
    name: "two files that change their names",
    changes: 8,
    breaks: [[2, 3]],
    requires: [
      [2, 3],
      [3, 2],
    ],
  },
  {
    name: "a chain in which each requires the one after it",
    changes: 6,
    breaks: [[2]],
    requires: [
      [0, 1],
      [1, 2],
      [2, 3],
    ],
  },
  {
    name: "what is needed comes before it",
    changes: 10,
    breaks: [[6]],
    needs: [
      [8, 1],
      [6, 2],
    ],
  },
  { name: "what is needed comes after it", changes: 10, breaks: [[3]], needs: [[2, 7]] },
  { name: "another one needs the culprit", changes: 10, breaks: [[4]], needs: [[8, 4]] },
  {
    name: "two others need the culprit",
    changes: 12,
    breaks: [[1]],
    needs: [
      [5, 1],
      [10, 1],
    ],
  },
  { name: "nothing, of 8", changes: 8, breaks: [], failsBy: 0.2 },
  { name: "nothing, of 30", changes: 30, breaks: [], failsBy: 0.1 },
  { name: "nothing, of 4, by half", changes: 4, breaks: [], failsBy: 0.5 },
  { name: "one of 10, hidden now and then", changes: 10, breaks: [[6]], passesBy: 0.2 },
  { name: "one of 10, with a test that fails now and then", changes: 10, breaks: [[3]], failsBy: 0.15 },
  { name: "two of 16, hidden now and then", changes: 16, breaks: [[3], [12]], passesBy: 0.15 },
  { name: "a pair of 9, with a test that fails now and then", changes: 9, breaks: [[1, 6]], failsBy: 0.1 },
];

/** The units of a proposal, and a check that answers as it would. `ran`: what it was asked for. */
export function playProposal(proposal: BreakingProposal, random: () => number) {
  const { changes, breaks, requires = [], needs = [], failsBy = 0, passesBy = 0 } = proposal;
  const ran: { readonly units: ReadonlySet<string>; readonly extent: CheckExtent; passed: boolean }[] = [];
  const answer = (units: ReadonlySet<string>): PartOutcome => {
    const has = (change: number) => units.has(String(change));
    if (needs.some(([one, other]) => has(one) && !has(other))) return "other";
    const isBroken = breaks.some((set) => set.every(has));
    const isSeen = isBroken ? random() >= passesBy : random() < failsBy;
    return isSeen ? "broke" : "passed";
  };
  const search: BreakingSearch = {
    units: Array.from({ length: changes }, (_, at) => ({
      id: String(at),
      requires: requires.flatMap(([one, other]) => (one === at ? [String(other)] : [])),
    })),
    async run(units, extent) {
      const outcome = answer(units);
      ran.push({ units, extent, passed: outcome === "passed" });
      return outcome;
    },
  };
  return { search, ran };
}
