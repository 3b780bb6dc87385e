// What the killed process is told, and what it promises before it dies.

export const phases = [
  "before send",
  "first byte",
  "mid-stream",
  "end record",
  "append",
  "sync",
  "compaction",
  "rename",
  "renamed",
  "apply",
  "undo",
  "draft",
  "changes",
] as const;
export type Phase = (typeof phases)[number];

export interface KillOrder {
  readonly number: number;
  readonly phase: Phase;
  /** How often the phase goes by unharmed. */
  readonly pass: number;
  /** Milliseconds from there to the end; 0 is at once. */
  readonly delay: number;
  readonly url: string;
  readonly key: string;
  readonly folder: string;
  readonly workspace: string;
}

export type Promised =
  /** Shown as ended. */
  | {
      readonly what: "turn";
      readonly id: string;
      readonly status: string;
      readonly prompt: string;
      readonly said: string;
    }
  /** About to be asked again. */
  | { readonly what: "cut"; readonly id: string }
  /** It's in the conversation, and waits. */
  | { readonly what: "proposed"; readonly call: string; readonly line: string }
  /** From here on both is right: that it is in the file, and that it is not. */
  | { readonly what: "deciding"; readonly call: string }
  | { readonly what: "accepted"; readonly call: string }
  | { readonly what: "undone"; readonly call: string }
  | { readonly what: "draft"; readonly text: string }
  /** A question that may leave the box. */
  | { readonly what: "sent"; readonly prompt: string }
  /** Whatever stands in the box goes. */
  | { readonly what: "emptied" };
