// The patches of a conversation, as rows of it: what a person can take back, look at or write down. Read off the
// conversation, which says what has become of each; nothing here is kept. Pure.

import type { Conversation } from "../../core/conversation/state.ts";
import type { PatchFile, PatchPart } from "../../core/conversation/tool-use.ts";

export interface PatchOfTurn {
  readonly call: string;
  readonly turn: string;
  /** Counted from 1, as people do. */
  readonly turnNumber: number;
  readonly prompt: string;
  readonly status: PatchPart["status"];
  readonly files: readonly PatchFile[];
}

export function patchesOf({ turns }: Conversation): readonly PatchOfTurn[] {
  return turns.flatMap((turn, index) =>
    turn.parts.flatMap((part): PatchOfTurn[] => {
      // What still arrives has no call yet, so nothing could be done with it.
      if (part.type !== "patch" || part.call === "") return [];
      const { call, status, files } = part;
      return [{ call, turn: turn.id, turnNumber: index + 1, prompt: turn.prompt, status, files }];
    }),
  );
}

/** Something of it is in the files. */
export const isApplied = ({ files }: PatchOfTurn): boolean =>
  files.some(({ hunks }) => hunks.some(({ status }) => status === "applied"));
