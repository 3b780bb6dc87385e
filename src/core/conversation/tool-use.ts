// Tools at work, as they are shown: one row per call, one card per patch. Both go through stations and never back.
import * as z from "zod/mini";
import { Message } from "../messages/schema.ts";

/** `asked` waits for a decision; `refused` was declined or is not allowed; `stopped` never came to an end. */
export const ToolStatus = z.enum(["asked", "running", "done", "failed", "refused", "stopped"]);
export type ToolStatus = z.infer<typeof ToolStatus>;

export const ToolPart = z.object({
  type: z.literal("tool"),
  id: z.string(),
  /** What `decide` is called with. */
  call: z.string(),
  name: z.string(),
  status: ToolStatus,
  /** What it does, for people: `src/a.ts, lines 1–40`. */
  summary: z.union([z.string(), Message]),
  /** Why it asks, or how it ended, in one sentence. */
  message: z.optional(Message),
  /** The beginning of what the model was given. */
  output: z.optional(z.string()),
});
export type ToolPart = Readonly<z.infer<typeof ToolPart>>;

/**
 * `proposed`: something of it waits for a decision; `undone`: applied, and taken back later; `conflict`: it no longer
 * fitted the files, and was left out; `replaced`: a later patch has written something else there; `lost`: what it
 * proposed is not kept here.
 */
export const PatchStatus = z.enum([
  "arriving",
  "proposed",
  "applied",
  "undone",
  "rejected",
  "conflict",
  "replaced",
  "failed",
  "stopped",
  "lost",
]);
export type PatchStatus = z.infer<typeof PatchStatus>;

const HunkStatus = z.enum(["pending", "applied", "rejected", "undone", "conflict", "replaced"]);

export const PatchHunk = z.object({
  id: z.string(),
  status: HunkStatus,
  /** Where it begins in the file as it is, from 1; absent while it is not placed. */
  line: z.optional(z.number()),
  added: z.number(),
  removed: z.number(),
  /** Its lines with their signs; absent when the patch is too long to be shown here. */
  diff: z.optional(z.string()),
  /** How loosely it matched, or why it does not fit. */
  note: z.optional(Message),
});
export type PatchHunk = Readonly<z.infer<typeof PatchHunk>>;

export const PatchFile = z.object({
  path: z.string(),
  change: z.enum(["add", "update", "delete", "move"]),
  to: z.optional(z.string()),
  added: z.number(),
  removed: z.number(),
  hunks: z.array(PatchHunk),
  /** One sentence when this file deserves a second look: it can run code, or holds settings. */
  caution: z.optional(Message),
  /** Why it cannot be applied. */
  problem: z.optional(Message),
  /** How its part of the patch had to be read. */
  note: z.optional(Message),
});
export type PatchFile = Readonly<z.infer<typeof PatchFile>>;

export const PatchPart = z.object({
  type: z.literal("patch"),
  id: z.string(),
  /** What it is known by; empty while the patch arrives. */
  call: z.string(),
  status: PatchStatus,
  files: z.array(PatchFile),
  /** Made by a person of this answer's code, whose turn may have ended long ago; absent: the model's own. */
  by: z.optional(z.literal("person")),
  /** How it ended, in one sentence. */
  message: z.optional(Message),
  /** What the model was told, whole: after a crash it is what it will be told. */
  output: z.optional(z.string()),
});
export type PatchPart = Readonly<z.infer<typeof PatchPart>>;

/**
 * What has become of a patch since: of its row, and of those of its changes that are something else by now. A row may be
 * long, and be decided line by line.
 */
export const PatchState = z.object({
  type: z.literal("patch-state"),
  /** Of the part. */
  id: z.string(),
  call: z.string(),
  status: PatchStatus,
  /** Absent: there is nothing to say any more. */
  message: z.optional(Message),
  hunks: z.array(z.object({ id: z.string(), status: HunkStatus })),
});
export type PatchState = Readonly<z.infer<typeof PatchState>>;
