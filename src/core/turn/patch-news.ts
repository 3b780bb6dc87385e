// What became of patches after the model was told that they were applied: a person took one back, or put it in again.
// The history only grows, so that this is said with the next thing that goes out, and once. What was said is read in
// the history itself: nothing has to be kept for it. Pure.
import { verbatim } from "../conversation/content.ts";
import type { Turn } from "../conversation/state.ts";
import type { PatchPart } from "../conversation/tool-use.ts";
import { takeOutSecrets } from "../tools/secrets.ts";
import { userItem } from "./history.ts";

type State = "undone" | "applied";

const beginning = "[Patchbay: what became of patches that were applied:";

/** Such an item: of a question that is asked again, it is left out and told anew. */
export const isPatchNews = (item: string): boolean =>
  item.startsWith(userItem([{ kind: "text", text: verbatim(beginning) }]).slice(0, -2));

/** What is to go out after these items; nothing where the model knows all of it. */
export function patchNews(turns: readonly Turn[], items: readonly string[]): string[] {
  const told = items.filter(isPatchNews);
  const news: string[] = [];
  for (const part of turns.flatMap(({ parts }) => parts)) {
    const state = part.type === "patch" ? stateOf(part) : undefined;
    if (part.type !== "patch" || state === undefined || state === lastTold(part.call, told)) continue;
    news.push(`- ${begin(state, part.call)} (${pathsOf(part)})${ends[state]}`);
  }
  if (news.length === 0) return [];
  const { text } = takeOutSecrets(`${[beginning, ...news].join("\n")}]`);
  return [userItem([{ kind: "text", text }])];
}

/** Of a person's own patches the model has never heard. */
const stateOf = ({ status, by }: PatchPart): State | undefined =>
  by === undefined && (status === "undone" || status === "applied") ? status : undefined;

/** Until it hears anything else, it believes the answer to its call. */
function lastTold(call: string, told: readonly string[]): State {
  const says = (item: string | undefined, state: State) =>
    item?.includes(JSON.stringify(begin(state, call)).slice(1, -1)) === true;
  const last = told.findLast((item) => says(item, "undone") || says(item, "applied"));
  return says(last, "undone") ? "undone" : "applied";
}

const begin = (state: State, call: string): string =>
  state === "undone" ? `The user has taken back patch ${call}` : `The user has put in again patch ${call}`;

const ends: Readonly<Record<State, string>> = {
  undone: ": what it changed is in these files no more.",
  applied: ": what it changed is in these files again.",
};

const pathsOf = ({ files }: PatchPart): string =>
  files.map(({ path, to }) => (to === undefined ? path : `${path} → ${to}`)).join(", ");
