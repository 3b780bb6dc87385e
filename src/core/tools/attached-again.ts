// What was attached to a question that was asked before, as something that can be attached once more: by name where the name
// says where it lies, else by the very words and pictures that were sent. For a question that is being asked again and is in
// no turn meanwhile: were it to end here, nothing but this would know what belonged to it.
import type { Attachment, AttachmentView } from "../conversation/attachment.ts";
import { asArray, asObject, asString, parseJson } from "../util/json.ts";
import { attributeText } from "./tagged-text.ts";

/** `item` is what was sent for all of them. */
export function attachedAgain(views: readonly AttachmentView[], item: string | undefined): Attachment[] {
  const { texts, pictures } = contentsOf(item);
  const frames = texts.flatMap(framesIn);
  return views.flatMap((view): Attachment[] => {
    const { kind, label: name, bytes } = view;
    const byName = named(view);
    if (byName !== undefined) return [byName];
    // Nothing of it was sent.
    if (bytes === 0) return [];
    if (kind === "image") {
      const url = pictures.shift();
      return url === undefined ? [] : [{ kind, name, url }];
    }
    const called = `name="${attributeText(name)}"`;
    const index = frames.findIndex((frame) => frame.tag === kind && frame.attributes === called);
    const [frame] = index < 0 ? [] : frames.splice(index, 1);
    if (frame === undefined) return [];
    return [{ kind: kind === "terminal" || kind === "diff" ? kind : "text", name, text: frame.text }];
  });
}

/** What lies where its name says is read again when it is sent. */
function named({ kind, label, path, start, end }: AttachmentView): Attachment | undefined {
  if (kind === "file" && path !== undefined) return { kind, path };
  if (kind === "selection" && path !== undefined && start !== undefined && end !== undefined)
    return { kind, path, start, end };
  if (kind === "folder") return { kind, path: label.replace(/\/$/, "") };
  if (kind !== "problems") return undefined;
  const of = /^Problems of (.*)$/s.exec(label)?.[1];
  return of === undefined ? { kind } : { kind, path: of };
}

function contentsOf(item: string | undefined): { texts: string[]; pictures: string[] } {
  const content = asObject(parseJson(item ?? ""))?.["content"];
  if (typeof content === "string") return { texts: [content], pictures: [] };
  const parts = asArray(content).map((part) => asObject(part) ?? {});
  const all = (name: string) => parts.flatMap((part) => asString(part[name]) ?? []);
  return { texts: all("text"), pictures: all("image_url") };
}

interface Frame {
  readonly tag: string;
  readonly attributes: string;
  readonly text: string;
}

/** One after another, as `wrapInTag` makes them: no text holds the end of its own. */
function framesIn(text: string): Frame[] {
  const frames: Frame[] = [];
  let at = 0;
  while (at < text.length) {
    const begun = text.indexOf("\n", at) + 1;
    const [, name = "", tag = "", attributes = ""] =
      /^<(([a-z]+)(?:-\d+)?)(?: (.*))?>$/.exec(text.slice(at, Math.max(begun - 1, at))) ?? [];
    const end = name === "" ? -1 : text.indexOf(`\n</${name}>`, begun);
    if (end >= 0) frames.push({ tag, attributes, text: text.slice(begun, end) });
    const next = text.indexOf("\n\n", Math.max(end, at));
    if (next < 0) break;
    at = next + 2;
  }
  return frames;
}
