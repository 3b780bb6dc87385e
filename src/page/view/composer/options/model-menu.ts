// The menu of the model: which model, reasoning effort, cache lifetime, output limit, web search and JSON output. It
// shows the choices; the host applies them.
import type { ViewState } from "../../../../bridge/view-state.ts";
import { type CacheTier, cacheTiers } from "../../../../conversation/events.ts";
import type { ModelChoice, Turn } from "../../../../conversation/state.ts";
import { h, setLabel, setText } from "../../../elements/dom.ts";
import { icon } from "../../../elements/icons.ts";
import type { Post } from "../../../render-context.ts";
import { exact } from "../../../words/numbers-and-times.ts";
import { fill, strings } from "../../../words/strings.ts";
import { agentName, agentOptions } from "./agent-option.ts";
import { type ChoiceMenu, choiceMenu } from "./choice-menu.ts";
import type { Option } from "./option-list.ts";

interface ModelMenu extends Pick<ChoiceMenu, "button" | "popup" | "open"> {
  update(viewState: ViewState, last: Turn | undefined): void;
}

export function modelMenu(post: Post, tryWays: () => void): ModelMenu {
  let now: ViewState | undefined;
  let lastTurn: Turn | undefined;
  const { button, popup, open, refresh } = choiceMenu({
    label: strings.model,
    options: () => (now === undefined ? [] : optionsOf(now, post, tryWays)),
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
      const shown = [label, effort, agentName(next)].filter(Boolean).join(" · ");
      setText(name, shown);
      search.toggleAttribute("hidden", !takes || !next.webSearch);
      json.toggleAttribute("hidden", !takes || !next.json);
      setLabel(button, `${strings.model}: ${[shown, ...(takes ? chosenIn(next) : [])].join(" · ")}`);
      refresh();
    },
  };
}

const modelOf = ({ models, model }: ViewState) => models.find(({ id }) => id === model);

function optionsOf(now: ViewState, post: Post, tryWays: () => void): readonly Option[] {
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
  const planFirst: Option = {
    label: strings.planFirst,
    description: strings.planFirstMeans,
    kind: "check",
    chosen: now.planFirst,
    begins: true,
    run: () => post({ type: "set-options", planFirst: !now.planFirst }),
  };
  return [
    ...models,
    ...agentOptions(now, post),
    ...(isReasoning(now) ? all : all.map((way) => ({ ...way, ...off }))),
    planFirst,
    ...(now.canTry === true
      ? [{ label: strings.tryWays, description: strings.tryWaysMeans, run: tryWays }]
      : []),
  ];
}

/** Options that the model does not support stay in place, disabled; the reason is shown below (requirements J9). */
const off = { description: undefined, value: undefined, chosen: false, isOff: true } as const;

const isReasoning = (now: ViewState): boolean => modelOf(now)?.route === "responses";

function remarkOn(now: ViewState, last: Turn | undefined): string | undefined {
  const why = isReasoning(now)
    ? undefined
    : fill(strings.onlyReasoning, { model: modelOf(now)?.label ?? now.model });
  const all = [costOfSwitching(last), why].filter((each) => each !== undefined);
  return all.length === 0 ? undefined : all.join(" ");
}

function ways(now: ViewState, post: Post): readonly Option[] {
  const { effort, efforts, cacheTier, outputLimit, webSearch, json } = now;
  return [
    {
      label: strings.effort,
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
      label: strings.cacheTier,
      value: tierWords[cacheTier].label,
      remark: strings.cacheRemark,
      list: () =>
        cacheTiers.map((tier) => ({
          ...tierWords[tier],
          kind: "radio",
          chosen: tier === cacheTier,
          run: () => post({ type: "set-options", cacheTier: tier }),
        })),
    },
    {
      label: strings.outputLimit,
      value: outputLimit === undefined ? strings.noLimit : limitText(outputLimit),
      run: () => post({ type: "run", command: "output-limit" }),
    },
    {
      label: strings.webSearch,
      description: strings.webSearchMeans,
      kind: "check",
      chosen: webSearch,
      run: () => post({ type: "set-options", webSearch: !webSearch }),
    },
    {
      label: strings.json,
      description: strings.jsonMeans,
      kind: "check",
      chosen: json,
      run: () => post({ type: "set-options", json: !json }),
    },
  ];
}

/** Options other than model and effort that differ from their defaults. */
function chosenIn({ cacheTier, outputLimit, webSearch, json }: ViewState): readonly string[] {
  return [
    cacheTier === "default" ? "" : `${strings.cacheTier}: ${tierWords[cacheTier].label}`,
    outputLimit === undefined ? "" : fill(strings.upTo, { limit: limitText(outputLimit) }),
    webSearch ? strings.webSearch : "",
    json ? strings.json : "",
  ].filter((each) => each !== "");
}

const limitText = (tokens: number): string => fill(strings.chipTokens, { tokens: exact(tokens) });

/** The interface does not define labels for efforts; common values have one here. */
const effortWord = (effort: string): string => effortWords.get(effort) ?? effort;

const effortWords: ReadonlyMap<string, string> = new Map([
  ["", strings.effortAutomatic],
  ["low", strings.effortLow],
  ["medium", strings.effortMedium],
  ["high", strings.effortHigh],
]);

function whatItCan({ route, vision = true, added = false }: ModelChoice): string {
  const chats = vision ? strings.modelChats : strings.modelOnlyChats;
  return [route === "responses" ? strings.modelReasons : chats, added ? strings.modelAdded : ""]
    .filter((part) => part !== "")
    .join(" · ");
}

const tierWords: Readonly<Record<CacheTier, { label: string; description: string }>> = {
  default: { label: strings.tierDefault, description: strings.tierDefaultMeans },
  "5m": { label: strings.tier5m, description: strings.tier5mMeans },
  "1h": { label: strings.tier1h, description: strings.tier1hMeans },
};

/** What the service has cached for this model is lost when another one is chosen. */
function costOfSwitching(last: Turn | undefined): string | undefined {
  const usage = last?.usage.at(-1);
  const kept = (usage?.cached ?? 0) + (usage?.cacheWrite ?? 0);
  return kept === 0 ? undefined : fill(strings.switchCost, { tokens: exact(kept) });
}
