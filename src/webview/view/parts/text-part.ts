// Running text: the answer itself, a refusal, a remark of ours.
import type { Part } from "../../../core/conversation/state.ts";
import { h, setText } from "../../dom.ts";
import { icon } from "../../icons.ts";
import { wordsOfAll } from "../../messages.ts";
import type { TurnNeeds } from "../../turn-context.ts";
import { words } from "../../words.ts";
import { markdownPart } from "./markdown-part.ts";
import type { PartSituation, PartView } from "./part-view.ts";

type TextPart = Extract<Part, { type: "text" }>;
type RefusalPart = Extract<Part, { type: "refusal" }>;
type NotePart = Extract<Part, { type: "note" }>;

export function textPart(needs: TurnNeeds): PartView<TextPart> {
  const { root, update } = markdownPart("part text", needs);
  return { root, update: (part, situation) => update(part.text, isOver(part, situation), situation.scene) };
}

export function refusalPart(needs: TurnNeeds): PartView<RefusalPart> {
  const { root: text, update } = markdownPart("body", needs);
  const title = h("p", { class: "refusal-head" }, icon("info"), words.refusal);
  const root = h("div", { class: "part refusal" }, title, text);
  return { root, update: (part, situation) => update(part.text, isOver(part, situation), situation.scene) };
}

export function notePart(): PartView<NotePart> {
  const root = h("p", { class: "part note plain", dir: "auto", "data-read": "" });
  return { root, update: (part) => setText(root, noteWords(part)) };
}

export const noteWords = ({ notes }: NotePart): string => wordsOfAll(notes);

/** Nothing is added to a part once another one follows, or the turn has ended. */
export const isOver = (part: Part, { turn }: PartSituation): boolean =>
  turn.status !== "running" || turn.parts.at(-1)?.id !== part.id;
