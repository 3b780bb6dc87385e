// The patches of a conversation as the review lists them: turn, file, hunk. Read off the conversation, which says what
// has become of each; nothing here is kept. Pure.

import type { Conversation } from "../../core/conversation/state.ts";
import type { PatchFile, PatchHunk, PatchPart } from "../../core/conversation/tool-use.ts";
import type { Message } from "../../core/messages/message.ts";

export interface PatchInReview {
  readonly call: string;
  readonly turn: string;
  /** Counted from 1, as people do. */
  readonly turnNumber: number;
  readonly prompt: string;
  readonly status: PatchPart["status"];
  readonly files: readonly PatchFile[];
  readonly message: Message | undefined;
}

export function patchesOf({ turns }: Conversation): readonly PatchInReview[] {
  return turns.flatMap((turn, index) =>
    turn.parts.flatMap((part): PatchInReview[] => {
      // What still arrives has no call yet, so nothing could be done with it.
      if (part.type !== "patch" || part.call === "") return [];
      const { call, status, files, message } = part;
      return [{ call, turn: turn.id, turnNumber: index + 1, prompt: turn.prompt, status, files, message }];
    }),
  );
}

export const isPending = ({ status }: PatchInReview): boolean => status === "proposed";

export const hunksOf = ({ files }: Pick<PatchInReview, "files">): readonly PatchHunk[] =>
  files.flatMap(({ hunks }) => hunks);
