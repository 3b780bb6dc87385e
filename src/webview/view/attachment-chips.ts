// What went out beside a question, as small labelled chips; a file opens at its lines.
import type { AttachmentView } from "../../core/conversation/attachment.ts";
import { h } from "../dom.ts";
import { type IconName, icon } from "../icons.ts";
import { wordsOfAll } from "../messages.ts";
import { exact } from "../numbers-and-times.ts";
import type { Post } from "../turn-context.ts";
import { tokensText } from "../usage-text.ts";
import { fill, words } from "../words.ts";

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
  conversation: "comment",
  text: "text",
};

/** A file by what it holds, as far as its name tells. */
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

/** What follows the name in a label, lines for instance, does not count. */
function iconOfName(label: string): IconName | undefined {
  const [, ending = ""] =
    /\.([a-z0-9]{1,8})(?=$|[^\w.])/i.exec(label.slice(label.lastIndexOf("/") + 1)) ?? [];
  return iconOfEnding.get(ending.toLowerCase());
}

export function sentChip(attachment: AttachmentView, post: Post): HTMLElement {
  const { kind, label, path, start, bytes } = attachment;
  if (kind === "imported") return importedChip();
  const note = attachment.notes && wordsOfAll(attachment.notes);
  const inside = [
    icon(note === undefined ? attachmentIcon(kind, path ?? label) : "warning"),
    h("bdi", { class: "name", "data-read": "" }, label),
    ...weight(attachment),
  ];
  const title = [label, attachment.tokens === undefined ? "" : sizeText(bytes), note ?? ""]
    .filter((line) => line !== "")
    .join("\n");
  const look = { class: note === undefined ? "chip" : "chip noted", title };
  if (path === undefined) {
    const hidden = note === undefined ? [] : [h("span", { class: "heard" }, note)];
    return h("span", look, ...inside, ...hidden);
  }
  const chip = h("button", { type: "button", ...look }, ...inside);
  chip.append(h("span", { class: "heard" }, [note ?? "", words.open].join(" ").trim()));
  chip.addEventListener("click", () => post({ type: "open-file", path, line: start }));
  return chip;
}

/** Nothing that went out: it says where the conversation comes from. */
const importedChip = (): HTMLElement =>
  h(
    "span",
    { class: "chip", title: words.importedMeans },
    icon("comment"),
    h("bdi", { class: "name" }, words.imported),
  );

/** What it came to when it was sent: tokens; where nobody counted them, its size. */
function weight({ bytes, tokens, exact: counted }: AttachmentView): HTMLElement[] {
  if (bytes > 0 && tokens !== undefined) return tokenWeight(tokens, counted ?? false);
  return [h("span", { class: "weight" }, bytes === 0 ? words.attachmentNothing : sizeText(bytes))];
}

/** A bare number is enough to look at; who listens hears of what. */
export function tokenWeight(tokens: number, counted: boolean): HTMLElement[] {
  const text = tokensText(tokens, counted);
  return [
    h("span", { class: "weight", "aria-hidden": "true" }, text),
    h("span", { class: "heard" }, fill(words.chipTokens, { tokens: text })),
  ];
}

export const sizeText = (bytes: number): string =>
  bytes < 1024
    ? fill(words.bytes, { count: exact(bytes) })
    : fill(words.kibibytes, { count: exact(Math.round(bytes / 1024)) });
