// The row below the box: which model, how it will be asked, how large the question is. Only what the host offers.
import type { Completion } from "../../bridge/protocol.ts";
import type { ViewState } from "../../bridge/view-state.ts";
import type { ModelChoice } from "../../core/conversation/page-lists.ts";
import { type CacheTier, cacheTiers } from "../../core/conversation/record.ts";
import type { Turn } from "../../core/conversation/state.ts";
import { h, iconButton, setAvailable, setHint, setLabel, setText } from "../dom.ts";
import { icon } from "../icons.ts";
import { isHosted, type Post } from "../turn-context.ts";
import { compact, tokensText } from "../usage-text.ts";
import { exact, fill, words } from "../words.ts";
import { choiceMenu } from "./choice-menu.ts";
import { contextOptions, type Found } from "./suggestions.ts";

export interface RequestOptions {
  readonly root: HTMLElement;
  /** Lists that open above the row. */
  readonly popups: readonly HTMLElement[];
  chooseModel(): void;
  takeCompletions(found: Found): void;
  update(viewState: ViewState, last: Turn | undefined): void;
}

export function requestOptions(post: Post): RequestOptions {
  let now: ViewState | undefined;
  /** Open and recent files. */
  let files: readonly Completion[] = [];
  let lastTurn: Turn | undefined;

  const add = choiceMenu({
    label: words.attach,
    kind: "act",
    icon: "add",
    options: contextNow,
    opens: () => post({ type: "complete", query: "" }),
  });
  add.button.className = "icon-button";
  setLabel(add.button, words.attach);
  const models = choiceMenu({
    label: words.model,
    kind: "choose",
    options: () => (now?.models ?? []).map(modelOption),
    remark: () => costOfSwitching(lastTurn),
  });
  models.button.className = "model-button";
  const modelName = h("span", { class: "name" });
  models.button.append(modelName, icon("chevron"));

  const web = iconButton(words.webSearch, "globe", () =>
    post({ type: "set-web-search", on: now?.webSearch !== true }),
  );
  const tiers = choiceMenu({
    label: words.cacheTier,
    kind: "choose",
    icon: "clock",
    options: () => cacheTiers.map(tierOption),
    remark: () => words.cacheRemark,
  });
  tiers.button.className = "icon-button wide";
  const tierName = h("span", {});
  tiers.button.append(tierName);
  const limitText = h("span", {});
  const limit = h("button", { type: "button", class: "icon-button wide" }, limitText);
  limit.addEventListener("click", () => {
    if (limit.ariaDisabled !== "true") post({ type: "run", command: "output-limit" });
  });
  const estimateText = h("span", {});
  const estimate = h("button", { type: "button", class: "estimate" }, estimateText);
  estimate.addEventListener("click", () => {
    if (now?.countsTokens === true) post({ type: "run", command: "count-tokens" });
  });
  const meterText = h("span", {});
  const meter = h(
    "button",
    { type: "button", class: "window-meter" },
    h("span", { class: "bar" }),
    meterText,
  );
  meter.addEventListener("click", () => post({ type: "run", command: "compact" }));
  const root = h(
    "div",
    { class: "options-row" },
    add.button,
    models.button,
    web,
    tiers.button,
    limit,
    meter,
    estimate,
  );

  return {
    root,
    popups: [add.popup, models.popup, tiers.popup],
    chooseModel: models.open,
    takeCompletions({ query, items }) {
      if (query !== "") return;
      files = items;
      add.refresh();
    },
    update(next, last) {
      lastTurn = last;
      if (next === now) return;
      now = next;
      draw(next);
    },
  };

  function draw(next: ViewState): void {
    const model = next.models.find(({ id }) => id === next.model);
    const reasons = model?.route === "responses";
    add.button.hidden = !isHosted(next);
    models.button.hidden = next.model === "";
    setText(modelName, model?.label ?? next.model);
    setLabel(models.button, `${words.model}: ${model?.label ?? next.model}`);
    const { cacheTier = "default", outputLimit = 0 } = next;
    // What the model cannot do stays in its place, and says why (requirements J9).
    for (const one of [web, tiers.button, limit]) setAvailable(one, reasons);
    const orWhyNot = (hint: string, why: string) =>
      reasons ? hint : fill(why, { model: model?.label ?? "" });
    web.hidden = !isHosted(next);
    web.ariaPressed = String(reasons && next.webSearch === true);
    setLabel(web, orWhyNot(words.webSearch, words.noWebSearch));
    tiers.button.hidden = next.cacheTier === undefined;
    setText(tierName, cacheTier === "default" ? "" : cacheTier);
    setHint(tiers.button, orWhyNot(`${words.cacheTier}: ${tierWords[cacheTier].label}`, words.noCacheTier));
    limit.hidden = next.outputLimit === undefined;
    setText(limitText, `≤ ${compact([outputLimit])[0] ?? ""}`);
    setHint(limit, orWhyNot(fill(words.outputLimit, { tokens: exact(outputLimit) }), words.noOutputLimit));
    drawMeter(next.window);
    estimate.hidden = next.estimate === undefined;
    if (next.estimate !== undefined) {
      const { tokens, exact: counted, altogether } = next.estimate;
      const draft = tokensText(tokens, counted);
      const hint = fill(counted ? words.estimateExact : words.estimateLocal, { tokens: exact(tokens) });
      if (altogether === undefined) {
        setText(estimateText, draft);
        setHint(estimate, hint);
      } else {
        setText(estimateText, fill(words.estimateOfAll, { draft, all: tokensText(altogether, false) }));
        setHint(estimate, [hint, fill(words.estimateAgain, { tokens: exact(altogether) })].join("\n"));
      }
    }
  }

  function drawMeter(window: ViewState["window"]): void {
    meter.hidden = window === undefined;
    if (window === undefined) return;
    const share = window.used / window.size;
    const percent = `${exact(Math.round(100 * share))}%`;
    const isFull = share >= nearlyFull;
    meter.style.setProperty("--used", `${Math.min(100, Math.round(100 * share))}%`);
    meter.classList.toggle("full", isFull);
    setText(meterText, isFull ? `${percent} · ${words.compact}` : percent);
    const [used, size] = [exact(window.used), exact(window.size)];
    setHint(meter, `${fill(words.windowUsed, { used, size })}\n${fill(words.compactHint, { used })}`);
  }

  function contextNow() {
    if (now === undefined) return [];
    return contextOptions(now, "", files, {
      pick: (kind) => () => post({ type: "pick", kind }),
      attach:
        ({ attachment }) =>
        () =>
          post({ type: "attach", attachment }),
    });
  }

  function modelOption(model: ModelChoice) {
    const { id, label } = model;
    return {
      label,
      detail: id === label ? undefined : id,
      description: whatItCan(model),
      chosen: id === now?.model,
      run: () => post({ type: "choose-model", model: id }),
    };
  }

  function tierOption(tier: CacheTier) {
    return {
      ...tierWords[tier],
      chosen: tier === now?.cacheTier,
      run: () => post({ type: "set-cache-tier", tier }),
    };
  }
}

function whatItCan({ route, vision = true, added = false }: ModelChoice): string {
  const chats = vision ? words.modelChats : words.modelOnlyChats;
  return [route === "responses" ? words.modelReasons : chats, added ? words.modelAdded : ""]
    .filter((part) => part !== "")
    .join(" · ");
}

/** From here on it is worth compacting. */
const nearlyFull = 0.8;

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
