// The model's reasoning in one of three sizes: its headline, a preview of a few lines, or everything. The setting
// determines the initial size; what the user opens or closes by hand stays that way.
import type { Preferences } from "../../../bridge/preferences.ts";
import type { Part, Turn } from "../../../conversation/state.ts";
import { h, setText } from "../../elements/dom.ts";
import { icon } from "../../elements/icons.ts";
import type { TurnDeps } from "../../render-context.ts";
import { duration } from "../../words/messages.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings } from "../../words/strings.ts";
import type { PartSituation, PartView } from "./part-view.ts";
import { isOver, markdownPart } from "./text-part.ts";

type ReasoningPart = Extract<Part, { type: "reasoning" }>;
type Size = Preferences["reasoning"];

export function reasoningPart(deps: TurnDeps): PartView<ReasoningPart> {
  const { choices } = deps;
  const verb = h("span", { class: "verb" });
  const headline = h("span", { class: "headline", dir: "auto" });
  const toggle = h(
    "button",
    { type: "button", class: "fold-head" },
    icon("chevron"),
    icon("thought"),
    verb,
    headline,
  );
  const text = markdownPart("reasoning-text", deps);
  const body = h("div", { class: "fold-body" }, text.root);
  const root = h("div", { class: "part reasoning" }, toggle, body);
  let shown: ReasoningPart | undefined;
  let latest: { part: ReasoningPart; situation: PartSituation } | undefined;

  toggle.addEventListener("click", () => {
    if (latest === undefined) return;
    const { part, situation } = latest;
    const open = sizeOf(part, situation) === "expanded";
    choices.set(keyOf(part, situation), open ? "headline" : "expanded");
    resize(part, situation);
  });

  return {
    root,
    update(part, situation) {
      latest = { part, situation };
      setText(verb, verbOf(part, situation));
      toggle.title = figuresOf(situation.turn);
      text.update(part.text, isOver(part, situation), situation.context);
      if (part !== shown) {
        shown = part;
        setText(headline, headlineOf(part.text));
      }
      resize(part, situation);
    },
    refresh: text.refresh,
  };

  function sizeOf(part: ReasoningPart, situation: PartSituation): Size {
    const chosen = choices.get(keyOf(part, situation));
    if (chosen === "headline" || chosen === "expanded") return chosen;
    const size = situation.context.preferences.reasoning;
    // The preview is for following the reasoning live; afterwards the result matters.
    return size === "preview" && isOver(part, situation) ? "headline" : size;
  }

  function resize(part: ReasoningPart, situation: PartSituation): void {
    const size = part.text === "" ? "headline" : sizeOf(part, situation);
    root.dataset["size"] = size;
    toggle.disabled = part.text === "";
    toggle.setAttribute("aria-expanded", String(size === "expanded"));
    body.hidden = size === "headline";
    headline.hidden = size === "expanded" || part.text === "";
  }
}

const keyOf = ({ id }: ReasoningPart, { turn }: PartSituation): string => `reasoning ${turn.id} ${id}`;

function verbOf({ took }: ReasoningPart, { turn }: PartSituation): string {
  if (turn.status === "running" && turn.parts.at(-1)?.type === "reasoning") return strings.reasoning;
  // No duration below a second, or for thoughts saved before durations were measured.
  return took === undefined || took < 1000
    ? strings.thought
    : fill(strings.thoughtFor, { duration: duration(took) });
}

/** Figures that need no action, shown in the tooltip. */
function figuresOf({ usage, parts }: Turn): string {
  const tokens = usage.reduce((sum, { reasoning }) => sum + (reasoning ?? 0), 0);
  const isOnly = parts.filter(({ type }) => type === "reasoning").length === 1;
  return tokens === 0 || !isOnly ? "" : fill(strings.chipTokens, { tokens: exact(tokens) });
}

/** The last heading in the reasoning, or else the beginning of its last paragraph. */
function headlineOf(whole: string): string {
  // Computed with every delta, so the cost must not grow with the length of the reasoning.
  const text = whole.slice(-4000);
  const headings = [...text.matchAll(/^[ \t]*(?:\*\*(.+?)\*\*[ \t]*|#{1,6} (.+))$/gm)];
  const heading = headings.at(-1);
  if (heading !== undefined) return (heading[1] ?? heading[2] ?? "").trim();
  const paragraph =
    text
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? "";
  return paragraph.slice(0, 200).replace(/\s+/g, " ").replaceAll("**", "");
}
