// What the model thought, in one of three sizes: its headline, a preview of a few lines, everything. The setting
// chooses the size at first; what a person opens or closes by hand stays as they left it.
import type { Preferences } from "../../../bridge/view-state.ts";
import type { Part, Turn } from "../../../core/conversation/state.ts";
import { h, setText } from "../../dom.ts";
import { duration } from "../../duration.ts";
import { icon } from "../../icons.ts";
import { exact } from "../../numbers-and-times.ts";
import type { TurnDeps } from "../../turn-context.ts";
import { fill, words } from "../../words.ts";
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
      text.update(part.text, isOver(part, situation), situation.scene);
      if (part !== shown) {
        shown = part;
        setText(headline, headlineOf(part.text));
      }
      resize(part, situation);
    },
  };

  function sizeOf(part: ReasoningPart, situation: PartSituation): Size {
    const chosen = choices.get(keyOf(part, situation));
    if (chosen === "headline" || chosen === "expanded") return chosen;
    const size = situation.scene.preferences.reasoning;
    // A preview is for watching it think; afterwards what came of it is what matters.
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
  if (turn.status === "running" && turn.parts.at(-1)?.type === "reasoning") return words.reasoning;
  // Of less than a second, and of what was saved before it was measured, the word is enough.
  return took === undefined || took < 1000
    ? words.thought
    : fill(words.thoughtFor, { duration: duration(took) });
}

/** What nobody acts on is for those who hover. */
function figuresOf({ usage, parts }: Turn): string {
  const tokens = usage.reduce((sum, { reasoning }) => sum + (reasoning ?? 0), 0);
  const isOnly = parts.filter(({ type }) => type === "reasoning").length === 1;
  return tokens === 0 || !isOnly ? "" : fill(words.chipTokens, { tokens: exact(tokens) });
}

/** The last heading the model gave its thoughts, else the beginning of its last paragraph. */
export function headlineOf(whole: string): string {
  // Asked again at every delta, so it must not grow with what has been thought before.
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
