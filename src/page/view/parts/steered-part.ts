// What a person has said while the response was written, where the model was handed it.
import type { AttachmentView, SteeredPart } from "../../../conversation/state.ts";
import { h, setText } from "../../elements/dom.ts";
import { type Row, rows } from "../../elements/rows.ts";
import type { TurnDeps } from "../../render-context.ts";
import { questionWords } from "../../words/messages.ts";
import { fullTimeOf, isoTimeOf, timeOf } from "../../words/numbers-and-times.ts";
import { strings } from "../../words/strings.ts";
import { sentChip } from "../composer/attachment-chips.ts";
import type { PartView } from "./part-view.ts";

export function steeredPart({ post }: TurnDeps): PartView<SteeredPart> {
  const time = h("time", {});
  const author = h("h4", { class: "author" }, strings.youMeanwhile);
  const attached = h("ul", { class: "chips attached", "aria-label": strings.attachments });
  const draw = rows<AttachmentView & Row>(attached, (each) => h("li", {}, sentChip(each, post)));
  const text = h("div", { class: "prompt plain", dir: "auto", "data-read": "" });
  const root = h(
    "div",
    { class: "part steered" },
    h("div", { class: "byline" }, author, time),
    h("div", { class: "asked" }, attached, text),
  );
  let shown: SteeredPart | undefined;
  return {
    root,
    update(part) {
      if (part === shown) return;
      shown = part;
      draw(part.attachments.map((each, index) => ({ ...each, id: String(index) })));
      setText(text, questionWords(part.prompt));
      setText(time, timeOf(part.at));
      time.dateTime = isoTimeOf(part.at);
      time.title = fullTimeOf(part.at);
    },
  };
}

/** The readable text of the part. */
export const steeredWords = ({ prompt, attachments }: SteeredPart): readonly string[] => [
  ...attachments.map(({ label }) => label),
  questionWords(prompt),
];
