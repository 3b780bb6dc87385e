// What went out beside a question, as small labelled chips; a file opens at its lines.
import type { AttachmentView } from "../../core/conversation/attachment.ts";
import { h } from "../dom.ts";
import { type IconName, icon } from "../icons.ts";
import { noteInWords } from "../note-sentences.ts";
import { can, type Post, type Scene } from "../turn-context.ts";
import { exact, fill, words } from "../words.ts";

const icons: Readonly<Record<string, IconName>> = {
  selection: "text",
  file: "file",
  folder: "folder",
  symbol: "symbol",
  image: "image",
  problems: "warning",
  terminal: "terminal",
  diff: "diff",
  conversation: "comment",
  text: "text",
};

export const attachmentIcon = (kind: string): IconName =>
  (Object.hasOwn(icons, kind) ? icons[kind] : undefined) ?? "file";

export function sentAttachments(
  attachments: readonly AttachmentView[],
  scene: Scene,
  post: Post,
): HTMLElement | undefined {
  if (attachments.length === 0) return undefined;
  const items = attachments.map((attachment) => h("li", {}, sentChip(attachment, scene, post)));
  return h("ul", { class: "chips", "aria-label": words.attachments }, ...items);
}

function sentChip(attachment: AttachmentView, scene: Scene, post: Post): HTMLElement {
  const { kind, label, path, start, bytes } = attachment;
  const note = attachment.note && noteInWords(attachment.note, words);
  const size = bytes === 0 ? words.attachmentNothing : sizeText(bytes);
  const inside = [
    icon(note === undefined ? attachmentIcon(kind) : "warning"),
    h("bdi", { class: "name" }, label),
    h("span", { class: "weight" }, size),
  ];
  const title = [label, note ?? ""].filter((line) => line !== "").join("\n");
  const look = { class: note === undefined ? "chip" : "chip noted", title };
  if (path === undefined || !can(scene, "open-file")) {
    const heard = note === undefined ? [] : [h("span", { class: "heard" }, note)];
    return h("span", look, ...inside, ...heard);
  }
  const chip = h("button", { type: "button", ...look }, ...inside);
  chip.append(h("span", { class: "heard" }, [note ?? "", words.open].join(" ").trim()));
  chip.addEventListener("click", () => post({ type: "open-file", path, line: start }));
  return chip;
}

export const sizeText = (bytes: number): string =>
  bytes < 1024
    ? fill(words.bytes, { count: exact(bytes) })
    : fill(words.kibibytes, { count: exact(Math.round(bytes / 1024)) });
