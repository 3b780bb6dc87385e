// The one menu behind the model: which one, how much it reasons, how long its cache is kept, how much it may write, whether
// it searches, whether it answers in JSON. Knows what is chosen and what can be; what that does is the host's.
import type { ViewState } from "../../bridge/view-state.ts";
import type { ModelChoice } from "../../core/conversation/page-list-schemas.ts";
import { type CacheTier, cacheTiers } from "../../core/conversation/record.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { h, setLabel, setText } from "../dom.ts";
import { icon } from "../icons.ts";
import { exact } from "../numbers-and-times.ts";
import type { Post } from "../turn-context.ts";
import { fill, words } from "../words.ts";
import { type ChoiceMenu, choiceMenu } from "./choice-menu.ts";
import type { Option } from "./option-list.ts";

export interface ModelMenu extends Pick<ChoiceMenu, "button" | "popup" | "open"> {
  update(viewState: ViewState, last: Turn | undefined): void;
}

export function modelMenu(post: Post): ModelMenu {
  let now: ViewState | undefined;
  let lastTurn: Turn | undefined;
  const { button, popup, open, refresh } = choiceMenu({
    label: words.model,
    options: () => (now === undefined ? [] : optionsOf(now, post)),
    remark: () => now && remarkOn(now, lastTurn),
  });
  button.className = "model-button";
  const name = h("span", { class: "name" });
  const search = icon("globe");
  const json = icon("inspect");
  button.append(name, search, json, icon("chevron"));

  return {
    button,
    popup,
    open,
    update(next, last) {
      lastTurn = last;
      if (next === now) return;
      now = next;
      button.hidden = next.model === "";
      const takes = isReasoning(next);
      const label = modelOf(next)?.label ?? next.model;
      const effort = takes && next.effort !== "" ? effortWord(next.effort) : "";
      const shown = [label, effort].filter(Boolean).join(" · ");
      setText(name, shown);
      search.toggleAttribute("hidden", !takes || !next.webSearch);
      json.toggleAttribute("hidden", !takes || !next.json);
      setLabel(button, `${words.model}: ${[shown, ...(takes ? chosenIn(next) : [])].join(" · ")}`);
      refresh();
    },
  };
}

const modelOf = ({ models, model }: ViewState) => models.find(({ id }) => id === model);

function optionsOf(now: ViewState, post: Post): readonly Option[] {
  const models = now.models.map(
    (model): Option => ({
      label: model.label,
      detail: model.id === model.label ? undefined : model.id,
      description: whatItCan(model),
      kind: "radio",
      chosen: model.id === now.model,
      run: () => post({ type: "choose-model", model: model.id }),
    }),
  );
  const all = ways(now, post);
  return [...models, ...(isReasoning(now) ? all : all.map((way) => ({ ...way, ...off })))];
}

/** What the model cannot do stays in its place; why is said below (requirements J9). */
const off = { description: undefined, value: undefined, chosen: false, isOff: true } as const;

const isReasoning = (now: ViewState): boolean => modelOf(now)?.route === "responses";

function remarkOn(now: ViewState, last: Turn | undefined): string | undefined {
  const why = isReasoning(now)
    ? undefined
    : fill(words.onlyReasoning, { model: modelOf(now)?.label ?? now.model });
  const all = [costOfSwitching(last), why].filter((each) => each !== undefined);
  return all.length === 0 ? undefined : all.join(" ");
}

function ways(now: ViewState, post: Post): readonly Option[] {
  const { effort, efforts, cacheTier, outputLimit, webSearch, json } = now;
  return [
    {
      label: words.effort,
      value: effortWord(effort),
      begins: true,
      list: () =>
        efforts.map((each) => ({
          label: effortWord(each),
          kind: "radio",
          chosen: each === effort,
          run: () => post({ type: "set-options", effort: each }),
        })),
    },
    {
      label: words.cacheTier,
      value: tierWords[cacheTier].label,
      remark: words.cacheRemark,
      list: () =>
        cacheTiers.map((tier) => ({
          ...tierWords[tier],
          kind: "radio",
          chosen: tier === cacheTier,
          run: () => post({ type: "set-options", cacheTier: tier }),
        })),
    },
    {
      label: words.outputLimit,
      value: outputLimit === undefined ? words.noLimit : limitText(outputLimit),
      run: () => post({ type: "run", command: "output-limit" }),
    },
    {
      label: words.webSearch,
      description: words.webSearchMeans,
      kind: "check",
      chosen: webSearch,
      run: () => post({ type: "set-options", webSearch: !webSearch }),
    },
    {
      label: words.json,
      description: words.jsonMeans,
      kind: "check",
      chosen: json,
      run: () => post({ type: "set-options", json: !json }),
    },
  ];
}

/** What else is not as it would be by itself. */
function chosenIn({ cacheTier, outputLimit, webSearch, json }: ViewState): readonly string[] {
  return [
    cacheTier === "default" ? "" : `${words.cacheTier}: ${tierWords[cacheTier].label}`,
    outputLimit === undefined ? "" : fill(words.upTo, { limit: limitText(outputLimit) }),
    webSearch ? words.webSearch : "",
    json ? words.json : "",
  ].filter((each) => each !== "");
}

const limitText = (tokens: number): string => fill(words.chipTokens, { tokens: exact(tokens) });

/** The interface names no word for it; those that are common have one of ours. */
const effortWord = (effort: string): string => effortWords.get(effort) ?? effort;

const effortWords: ReadonlyMap<string, string> = new Map([
  ["", words.effortAutomatic],
  ["low", words.effortLow],
  ["medium", words.effortMedium],
  ["high", words.effortHigh],
]);

function whatItCan({ route, vision = true, added = false }: ModelChoice): string {
  const chats = vision ? words.modelChats : words.modelOnlyChats;
  return [route === "responses" ? words.modelReasons : chats, added ? words.modelAdded : ""]
    .filter((part) => part !== "")
    .join(" · ");
}

const tierWords: Readonly<Record<CacheTier, { label: string; description: string }>> = {
  default: { label: words.tierDefault, description: words.tierDefaultMeans },
  "5m": { label: words.tier5m, description: words.tier5mMeans },
  "1h": { label: words.tier1h, description: words.tier1hMeans },
};

/** What the service kept for this model is of no use to another one. */
function costOfSwitching(last: Turn | undefined): string | undefined {
  const usage = last?.usage.at(-1);
  const kept = (usage?.cached ?? 0) + (usage?.cacheWrite ?? 0);
  return kept === 0 ? undefined : fill(words.switchCost, { tokens: exact(kept) });
}
