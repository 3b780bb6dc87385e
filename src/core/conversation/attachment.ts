// What a person can put next to a question, as data. `Attachment` is the wish, named by page or shell; the host
// reads it when the question is sent, so it is the text of that moment. `AttachmentView` is what is shown of it.

import * as z from "zod/mini";
import { Message } from "../messages/schema.ts";

const text = z.string().check(z.maxLength(4 * 1024 * 1024));
const path = z.string().check(z.maxLength(4096));
const name = z.string().check(z.maxLength(1000));
/** The address it was read from. It never goes out; nothing that lies there goes, either, if it is never to be sent. */
const place = z.optional(z.string().check(z.maxLength(16_384)));
/** A line number, from 1. */
const line = z.int().check(z.positive());

export const Attachment = z.discriminatedUnion("kind", [
  /** Whole lines of a file, both ends included. */
  z.object({ kind: z.literal("selection"), path, start: line, end: line }),
  /** A text, or a picture. */
  z.object({ kind: z.literal("file"), path }),
  z.object({ kind: z.literal("folder"), path }),
  /**
   * A picture that is no file of the workspace: a base64 data URL, or an https address that a person has typed, from which
   * the service loads it.
   */
  z.object({ kind: z.literal("image"), name, url: z.string().check(z.maxLength(32 * 1024 * 1024)), place }),
  /** Of one file, or of the whole workspace. */
  z.object({ kind: z.literal("problems"), path: z.optional(path) }),
  z.object({ kind: z.literal("terminal"), name, text }),
  z.object({ kind: z.literal("diff"), name, text }),
  z.object({ kind: z.literal("conversation"), id: name, name }),
  /** Text that has no file in the workspace: an untitled document, something pasted. */
  z.object({ kind: z.literal("text"), name, text, place }),
]);
export type Attachment = Readonly<z.infer<typeof Attachment>>;

export const AttachmentView = z.object({
  /** As above; `instructions` for what the workspace says about itself. */
  kind: z.string(),
  /** What the chip says: `src/a.ts, lines 3–9`. */
  label: z.string(),
  path: z.optional(z.string()),
  start: z.optional(z.number()),
  end: z.optional(z.number()),
  /** Bytes of it that were sent; 0 when none were. */
  bytes: z.number(),
  /** What it came to when it was sent, where that was known; about, unless `exact`. */
  tokens: z.optional(z.number()),
  exact: z.optional(z.boolean()),
  /** Where less was sent than was asked for: cut, secrets taken out, refused. */
  notes: z.optional(z.array(Message)),
});
export type AttachmentView = Readonly<z.infer<typeof AttachmentView>>;

export interface TokenCount {
  readonly tokens: number;
  readonly exact: boolean;
}

/** A count as a chip carries it. */
export const weightOf = (count: TokenCount | undefined): Partial<TokenCount> =>
  count === undefined ? {} : { tokens: count.tokens, ...(count.exact && { exact: true }) };

/** Something that will go out with the next question. The host keeps it; the page shows it and can take it away. */
export const DraftAttachment = z.object({
  id: z.string(),
  kind: z.string(),
  label: z.string(),
  /** As far as is known; about, unless `exact`. */
  tokens: z.optional(z.number()),
  exact: z.optional(z.boolean()),
  /** Where it will not go out as it is. */
  notes: z.optional(z.array(Message)),
});
export type DraftAttachment = Readonly<z.infer<typeof DraftAttachment>>;
