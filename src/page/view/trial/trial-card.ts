// Several tries at one question as a table: what each would send first, then what came of each. The script is loaded
// apart from the page, so it gets what the page has (`TrialKit`) and imports only types and its own sentences.
import type { TrialAction } from "../../../bridge/protocol.ts";
import type { TrialView } from "../../../bridge/view-state.ts";
import type { button, h, setText } from "../../elements/dom.ts";
import type { icon } from "../../elements/icons.ts";
import type { Post } from "../../render-context.ts";
import type { duration, messageText } from "../../words/messages.ts";
import type { exact } from "../../words/numbers-and-times.ts";
import type { fill, translated } from "../../words/strings.ts";
import { trialSentences } from "../../words/trial-sentences.ts";

interface TrialKit {
  readonly h: typeof h;
  readonly button: typeof button;
  readonly icon: typeof icon;
  readonly setText: typeof setText;
  readonly fill: typeof fill;
  readonly translated: typeof translated;
  readonly messageText: typeof messageText;
  readonly duration: typeof duration;
  readonly exact: typeof exact;
}

export interface TrialCard {
  readonly root: HTMLElement;
  update(trial: TrialView): void;
}

type Candidate = TrialView["candidates"][number];
type Way = TrialView["way"];

export function trialCard(
  kit: TrialKit,
  { post, say }: { readonly post: Post; say(sentence: string): void },
): TrialCard {
  const { h, button, icon, fill, translated, messageText, duration, exact } = kit;
  const word = (key: keyof typeof trialSentences) => translated(trialSentences[key]);
  const root = h("div", { class: "card trial-card", role: "group" });
  let states: readonly string[] = [];
  let drawn = "";
  let hasGrown = false;
  /** Whose version of each file is chosen; set while the form is open. */
  let chosen: Map<string, number> | undefined;

  const act = (action: TrialAction, candidate?: number) =>
    post({ type: "act-on-trial", action, ...(candidate !== undefined && { candidate }) });

  return { root, update };

  function update(trial: TrialView): void {
    const value = JSON.stringify([trial, chosen && [...chosen]]);
    if (value === drawn) return;
    drawn = value;
    tell(trial);
    const focused = root.querySelector<HTMLElement>(":focus")?.dataset["key"];
    const title = fill(word(trial.candidates.length === 2 ? "trialTitleTwo" : "trialTitle"), {
      words: trial.words.split("\n", 1)[0] ?? "",
    });
    root.setAttribute("aria-label", title);
    root.replaceChildren(
      h("p", { class: "trial-title", dir: "auto" }, icon("branch"), h("span", {}, title)),
      ...(trial.isStarted ? resultsOf(trial) : quoteOf(trial)),
    );
    const wanted = focused === undefined ? undefined : `[data-key="${CSS.escape(focused)}"]`;
    if (wanted !== undefined)
      (root.querySelector<HTMLElement>(wanted) ?? root.querySelector<HTMLElement>("button"))?.focus();
  }

  /** Screen readers hear how a try has ended, and that none was begun. */
  function tell({ candidates, hasGrown: isMore }: TrialView): void {
    if (isMore && !hasGrown) say(word("trialGrown"));
    hasGrown = isMore;
    const now = candidates.map(({ state }) => state);
    for (const [at, candidate] of candidates.entries()) {
      const isOver = !["waiting", "running"].includes(candidate.state);
      if (states[at] === "running" && isOver)
        say(fill(word("trialEnded"), { name: nameOf(candidate, at), state: resultWords(candidate) }));
    }
    states = now;
  }

  // Before anything is sent.

  function quoteOf(trial: TrialView): HTMLElement[] {
    const { candidates, ways, way } = trial;
    const isKnown = candidates.every(({ quote }) => quote !== undefined);
    const isPriced = candidates.some(({ quote }) => quote?.price !== undefined);
    const heads = [word("trialCandidate"), word("trialFresh"), word("trialCached")];
    const body = candidates.map((candidate, at) => {
      const { fresh, cached, price = "–" } = candidate.quote ?? {};
      const tokens = (count: number | undefined) =>
        count === undefined ? "…" : count === 0 ? "0" : `≈ ${exact(count)}`;
      return [nameOf(candidate, at), tokens(fresh), tokens(cached), ...(isPriced ? [price] : [])];
    });
    const start = button(word("trialStart"), "primary", () => isKnown && act("start"));
    start.dataset["key"] = "start";
    if (!isKnown) start.ariaDisabled = "true";
    return [
      ...(ways.length > 1 ? [wayChoice(ways, way)] : []),
      table([...heads, ...(isPriced ? [word("trialPrice")] : [])], body),
      ...(trial.hasGrown ? [h("p", {}, word("trialGrown"))] : []),
      h("p", { class: "detail" }, word(isKnown ? "trialQuote" : "trialQuoting")),
      h(
        "div",
        { class: "buttons" },
        start,
        keyed(
          "leave",
          button(word("trialCancel"), "secondary", () => act("leave")),
        ),
      ),
    ];
  }

  function wayChoice(ways: readonly Way[], way: Way): HTMLElement {
    const labels = {
      repeat: word("trialRepeat"),
      models: word("trialModels"),
      efforts: word("trialEfforts"),
    };
    const options = ways.map((each) => {
      const input = h("input", { type: "radio", name: "trial-way", value: each });
      input.checked = each === way;
      input.dataset["key"] = `way-${each}`;
      input.addEventListener("change", () => post({ type: "choose-trial-way", way: each }));
      return h("label", {}, input, h("span", {}, labels[each]));
    });
    return h("fieldset", { class: "trial-ways", "aria-label": word("trialWay") }, ...options);
  }

  // Once it has started.

  function resultsOf(trial: TrialView): HTMLElement[] {
    const { candidates, isRunning } = trial;
    const heads = [
      "trialCandidate",
      "trialChecks",
      "trialChange",
      "trialCost",
      "trialTime",
      "trialActions",
    ] as const;
    const body = candidates.map((candidate, at) => [
      h("span", {}, nameOf(candidate, at), h("span", { class: "detail" }, stateWords(candidate))),
      checksOf(candidate),
      changeOf(candidate),
      costOf(candidate),
      candidate.milliseconds === undefined ? "–" : duration(candidate.milliseconds),
      actionsOf(candidate, at),
    ]);
    const buttons = [
      ...(isRunning
        ? [
            keyed(
              "stop-all",
              button(word("trialStopAll"), "secondary", () => act("stop")),
            ),
          ]
        : []),
      ...(!isRunning && canMix(trial)
        ? [
            keyed(
              "mix",
              button(word("trialTakeOf"), "secondary", () => mix(trial)),
            ),
          ]
        : []),
      keyed(
        "leave",
        button(word("trialLeave"), "secondary", () => act("leave")),
      ),
    ];
    return [
      table(
        heads.map((key) => word(key)),
        body,
      ),
      ...(chosen === undefined ? [] : [filesForm(trial, chosen)]),
      h("div", { class: "buttons" }, ...buttons),
    ];
  }

  function checksOf({ verdict, checks }: Candidate): HTMLElement {
    if (verdict === "pending") return h("span", {}, word("trialChecking"));
    if (verdict === "none") return h("span", { class: "detail" }, word("trialNoChecks"));
    return h("span", { class: `trial-${verdict}` }, checks.map(messageText).join(", "));
  }

  function changeOf({ paths, added, removed, flags }: Candidate): HTMLElement {
    if (paths.length === 0) return h("span", { class: "detail" }, word("trialNoChange"));
    const count =
      paths.length === 1
        ? word("trialOneFile")
        : fill(word("trialFilesCount"), { count: exact(paths.length) });
    const cell = h(
      "span",
      {},
      `${count} `,
      h(
        "span",
        { class: "lines" },
        h("span", { class: "added" }, `+${exact(added)}`),
        " ",
        h("span", { class: "removed" }, `−${exact(removed)}`),
      ),
    );
    cell.title = paths.join("\n");
    if (flags.length > 0)
      cell.append(h("span", { class: "detail trial-flags" }, flags.map(messageText).join(", ")));
    return cell;
  }

  function costOf({ price, tokens }: Candidate): string {
    return price ?? (tokens === 0 ? "–" : fill(word("trialTokens"), { count: exact(tokens) }));
  }

  function actionsOf(candidate: Candidate, at: number): HTMLElement {
    const { state } = candidate;
    const make = (action: TrialAction, label: string) => {
      const made = keyed(
        `${action}-${at}`,
        button(label, "secondary", () => act(action, at)),
      );
      made.setAttribute("aria-label", `${label}: ${nameOf(candidate, at)}`);
      return made;
    };
    if (state === "waiting" || state === "running") return h("span", {}, make("stop", word("trialStop")));
    const finishedActions = ({ paths, verdict, asks }: Candidate) => [
      make("take", word("trialTake")),
      ...(paths.length > 0 ? [make("look", word("trialLook"))] : []),
      make("read", word("trialRead")),
      ...(asks === true ? [make("check", word("trialCheck"))] : []),
      ...(verdict === "pending" ? [make("stop", word("trialStop"))] : []),
    ];
    const isBroken = state === "stopped" || state === "failed";
    return h(
      "span",
      { class: "trial-actions" },
      ...(isBroken ? [make("again", word("trialAgain"))] : []),
      ...(state === "finished" ? finishedActions(candidate) : []),
    );
  }

  // Changes of two.

  function canMix({ candidates }: TrialView): boolean {
    return candidates.filter(({ state, paths }) => state === "finished" && paths.length > 0).length > 1;
  }

  function mix(trial: TrialView): void {
    chosen =
      chosen === undefined
        ? new Map(versionsOf(trial).map(([path, [first = 0]]) => [path, first]))
        : undefined;
    update(trial);
    root.querySelector<HTMLElement>(chosen === undefined ? '[data-key="mix"]' : "select")?.focus();
  }

  /** Who has changed which file; whoever passes the checks comes first. */
  function versionsOf({ candidates }: TrialView): readonly (readonly [string, readonly number[]])[] {
    const versions = new Map<string, number[]>();
    const order = [...candidates.entries()].filter(([, { state }]) => state === "finished");
    order.sort(([, one], [, other]) => rank(one) - rank(other));
    for (const [at, { paths }] of order)
      for (const path of paths) versions.set(path, [...(versions.get(path) ?? []), at]);
    return [...versions];
  }

  function filesForm(trial: TrialView, files: Map<string, number>): HTMLElement {
    const all = versionsOf(trial);
    // A try may have ended again since the form was opened: what is taken is what it shows.
    for (const path of [...files.keys()]) if (!all.some(([known]) => known === path)) files.delete(path);
    for (const [path, versions] of all) {
      const before = files.get(path);
      if (before === undefined || !versions.includes(before)) files.set(path, versions[0] ?? 0);
    }
    const rows = all.map(([path, versions]) => {
      const select = h("select", {});
      select.dataset["key"] = `file-${path}`;
      for (const at of versions) {
        const candidate = trial.candidates[at];
        const option = h(
          "option",
          { value: String(at) },
          candidate === undefined ? "" : nameOf(candidate, at),
        );
        option.selected = files.get(path) === at;
        select.append(option);
      }
      select.addEventListener("change", () => {
        files.set(path, Number(select.value));
        update(trial);
      });
      return h("label", { class: "trial-file" }, h("span", { dir: "ltr" }, path), select);
    });
    const main = mostChosen(files);
    const candidate = trial.candidates[main];
    const name = candidate === undefined ? "" : nameOf(candidate, main);
    const take = button(word("trialTakeFiles"), "primary", () =>
      post({
        type: "act-on-trial",
        action: "take",
        candidate: main,
        files: [...files].map(([path, at]) => ({ path, candidate: at })),
      }),
    );
    return h(
      "fieldset",
      { class: "trial-files" },
      h("legend", {}, word("trialFiles")),
      ...rows,
      h("p", { class: "detail" }, fill(word("trialResponse"), { name })),
      h("div", { class: "buttons" }, keyed("take-files", take)),
    );
  }

  // Words.

  function nameOf({ label, effort }: Candidate, at: number): string {
    return [String(at + 1), label, effort ?? ""].filter(Boolean).join(" · ");
  }

  function stateWords({ state, problem }: Candidate): string {
    const words = {
      waiting: word("trialWaiting"),
      running: word("trialRunning"),
      stopped: word("trialStopped"),
      failed: word("trialFailed"),
      finished: word("trialFinished"),
    };
    return problem === undefined ? words[state] : `${words[state]}: ${messageText(problem)}`;
  }

  function resultWords(candidate: Candidate): string {
    const checks = candidate.checks.map(messageText);
    return [stateWords(candidate), ...checks].join(", ");
  }

  /** Where there is little room, each cell has its heading beside it. */
  function table(
    heads: readonly string[],
    body: readonly (readonly (string | HTMLElement)[])[],
  ): HTMLElement {
    const head = h(
      "tr",
      { role: "row" },
      ...heads.map((text) => h("th", { scope: "col", role: "columnheader" }, text)),
    );
    const lines = body.map((cells) =>
      h(
        "tr",
        { role: "row" },
        ...cells.map((cell, at) => {
          const made =
            at === 0 ? h("th", { scope: "row", role: "rowheader" }, cell) : h("td", { role: "cell" }, cell);
          made.dataset["head"] = heads[at] ?? "";
          return made;
        }),
      ),
    );
    return h(
      "table",
      { class: "trial-table", role: "table" },
      h("thead", { role: "rowgroup" }, head),
      h("tbody", { role: "rowgroup" }, ...lines),
    );
  }
}

function keyed<Element extends HTMLElement>(key: string, element: Element): Element {
  element.dataset["key"] = key;
  return element;
}

const rank = ({ verdict }: Candidate): number => (verdict === "pass" ? 0 : verdict === "fail" ? 2 : 1);

/** The candidate of most files; the first of several. */
function mostChosen(files: ReadonlyMap<string, number>): number {
  const counts = new Map<number, number>();
  for (const at of files.values()) counts.set(at, (counts.get(at) ?? 0) + 1);
  const [first] = [...counts].sort(([, one], [, other]) => other - one);
  return first?.[0] ?? 0;
}
