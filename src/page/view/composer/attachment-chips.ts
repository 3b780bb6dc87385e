// Attachments as small labelled chips: of a sent question, and of the next one.
import type { AttachmentView, DraftAttachment } from "../../../conversation/state.ts";
import { h, iconButton } from "../../elements/dom.ts";
import { type IconName, icon } from "../../elements/icons.ts";
import { type Row, rows } from "../../elements/rows.ts";
import type { Post } from "../../render-context.ts";
import { messageTexts } from "../../words/messages.ts";
import { exact } from "../../words/numbers-and-times.ts";
import { fill, strings } from "../../words/strings.ts";
import { tokensText } from "../../words/usage-text.ts";

const icons: Readonly<Record<string, IconName>> = {
  selection: "text",
  file: "file",
  folder: "folder",
  symbol: "symbol",
  image: "image",
  "image-url": "image",
  problems: "warning",
  terminal: "terminal",
  diff: "diff",
  search: "search",
  conversation: "comment",
  text: "text",
};

/** The icon of an attachment; for a file it depends on the extension. */
export function attachmentIcon(kind: string, name = ""): IconName {
  const ofKind = (Object.hasOwn(icons, kind) ? icons[kind] : undefined) ?? "file";
  return kind === "file" || kind === "selection" ? (iconOfName(name) ?? ofKind) : ofKind;
}

const fileTypes: readonly (readonly [icon: IconName, endings: string])[] = [
  ["image", "png jpg jpeg gif webp svg ico bmp avif"],
  ["inspect", "json jsonc json5 jsonl yaml yml toml xml ini"],
  ["text", "md mdx markdown txt rst adoc tex csv log"],
  ["terminal", "sh bash zsh fish ps1 bat cmd"],
  [
    "code",
    "ts tsx mts cts js jsx mjs cjs py rb go rs c h cc cpp hpp cs java kt swift php lua scala dart vue svelte html css scss less sql ex exs hs ml clj zig r jl",
  ],
];
const iconOfEnding = new Map(
  fileTypes.flatMap(([icon, endings]) => endings.split(" ").map((ending) => [ending, icon] as const)),
);

/** Ignores what follows the name in a label, such as line numbers. */
function iconOfName(label: string): IconName | undefined {
  const [, ending = ""] =
    /\.([a-z0-9]{1,8})(?=$|[^\w.])/i.exec(label.slice(label.lastIndexOf("/") + 1)) ?? [];
  return iconOfEnding.get(ending.toLowerCase());
}

/** The chip of an attachment that was sent; a file opens at its lines. */
export function sentChip(attachment: AttachmentView, post: Post): HTMLElement {
  const { kind, label, path, start, bytes } = attachment;
  if (kind === "imported") return importedChip();
  const note = attachment.notes && messageTexts(attachment.notes);
  // What skills are there for is no warning.
  const isNoted = attachment.notes?.some(({ code }) => code !== "noteSkills") ?? false;
  const inside = [
    icon(isNoted ? "warning" : attachmentIcon(kind, path ?? label)),
    h("bdi", { class: "name", "data-read": "" }, label),
    ...weight(attachment),
  ];
  const title = [label, attachment.tokens === undefined ? "" : sizeText(bytes), note ?? ""]
    .filter((line) => line !== "")
    .join("\n");
  const look = { class: isNoted ? "chip noted" : "chip", title };
  if (path === undefined) {
    const hidden = note === undefined ? [] : [h("span", { class: "heard" }, note)];
    return h("span", look, ...inside, ...hidden);
  }
  const chip = h("button", { type: "button", ...look }, ...inside);
  chip.append(h("span", { class: "heard" }, [note ?? "", strings.open].join(" ").trim()));
  chip.addEventListener("click", () => post({ type: "open-file", path, line: start }));
  return chip;
}

/** Not an attachment: the chip says where the conversation was imported from. */
const importedChip = (): HTMLElement =>
  h(
    "span",
    { class: "chip", title: strings.importedMeans },
    icon("comment"),
    h("bdi", { class: "name" }, strings.imported),
  );

/** The size of the attachment when it was sent: tokens, or bytes where tokens were not counted. */
function weight({ bytes, tokens, exact: counted }: AttachmentView): HTMLElement[] {
  if (bytes > 0 && tokens !== undefined) return tokenWeight(tokens, counted ?? false);
  return [h("span", { class: "weight" }, bytes === 0 ? strings.attachmentNothing : sizeText(bytes))];
}

/** Shows only the number; screen readers also hear the unit. */
function tokenWeight(tokens: number, counted: boolean): HTMLElement[] {
  const text = tokensText(tokens, counted);
  return [
    h("span", { class: "weight", "aria-hidden": "true" }, text),
    h("span", { class: "heard" }, fill(strings.chipTokens, { tokens: text })),
  ];
}

export const sizeText = (bytes: number): string =>
  bytes < 1024
    ? fill(strings.bytes, { count: exact(bytes) })
    : fill(strings.kibibytes, { count: exact(Math.round(bytes / 1024)) });

interface DraftChips {
  readonly root: HTMLElement;
  /** `conversation` is the one they belong to; attachments of another conversation are not announced when it opens. */
  update(
    attachments: readonly DraftAttachment[],
    conversation: string,
    suggestion: Suggestion | undefined,
  ): void;
}

/** A suggested attachment: one click adds it, or removes it if it is added automatically. */
interface Suggestion {
  readonly kind: string;
  readonly label: string;
  readonly isOn: boolean;
}

interface DraftChipsDeps {
  /** Adds what is suggested, or leaves it out this time. */
  toggle(): void;
  detach(id: string): void;
  /** Announces new attachments to screen readers. */
  say(sentence: string): void;
}

/** Attachments of the next question: one chip each, with its size and a button to remove it. */
export function draftChips({ toggle, detach, say }: DraftChipsDeps): DraftChips {
  const root = h("ul", { class: "chips draft", "aria-label": strings.attachments });
  let news: string[] = [];
  let shownOf = "";
  const draw = rows<DraftAttachment | (Suggestion & Row)>(root, (each, before) => {
    if ("isOn" in each) return suggestionChip(each);
    if (before === undefined) news.push(each.label);
    return chip(each);
  });
  return {
    root,
    update(attachments, conversation, suggestion) {
      news = [];
      draw([...attachments, ...(suggestion === undefined ? [] : [{ ...suggestion, id: "suggested" }])]);
      if (conversation === shownOf && news.length > 0)
        say(fill(strings.attached, { labels: news.join(", ") }));
      shownOf = conversation;
    },
  };

  function suggestionChip({ kind, label, isOn }: Suggestion): HTMLElement {
    const inside = [icon(attachmentIcon(kind, label)), h("bdi", { class: "name" }, label)];
    if (isOn) {
      const remove = iconButton(fill(strings.removeAttachment, { label }), "close", toggle);
      return h("li", { class: "chip", title: label }, ...inside, remove);
    }
    const hint = fill(strings.addSuggested, { label });
    const add = h(
      "button",
      { type: "button", class: "chip suggested", title: hint, "aria-label": hint },
      icon("add"),
      ...inside,
    );
    add.addEventListener("click", toggle);
    return h("li", { class: "suggestion" }, add);
  }

  function chip({ id, kind, label, tokens, exact: counted, ...draft }: DraftAttachment): HTMLElement {
    const note = draft.notes && messageTexts(draft.notes);
    const remove = iconButton(fill(strings.removeAttachment, { label }), "close", () => detach(id));
    const parts = [
      icon(note === undefined ? attachmentIcon(kind, label) : "warning"),
      h("bdi", { class: "name" }, label),
      ...(tokens === undefined ? [] : tokenWeight(tokens, counted ?? false)),
      ...(note === undefined ? [] : [h("span", { class: "heard" }, note)]),
      remove,
    ];
    const item = h(
      "li",
      { class: note === undefined ? "chip" : "chip noted", title: [label, note ?? ""].join("\n").trim() },
      ...parts,
    );
    remove.addEventListener("keydown", (event) => {
      if (event.key !== "Delete" && event.key !== "Backspace") return;
      event.preventDefault();
      detach(id);
    });
    return item;
  }
}
