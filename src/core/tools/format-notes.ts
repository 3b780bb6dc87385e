// How a patch that was not quite in the strict form was read, in one sentence for people.
import { type Message, message } from "../messages/message.ts";
import type { FileName, NoteCode, Plan, PlanNote } from "../patch/model.ts";

const reasons: Record<NoteCode, Message> = {
  prose: message("whyProse"),
  wrapped: message("whyWrapped"),
  decorated: message("whyDecorated"),
  "no-begin": message("whyBeginMissing"),
  "no-end": message("whyEndMissing"),
  "several-envelopes": message("whyEnvelopes"),
  environment: message("whyEnvironment"),
  "git-headers": message("whyGitHeaders"),
  "no-newline-remark": message("whyNewline"),
  "no-blanks": message("whyNoBlanks"),
  "line-numbers": message("whyNumbers"),
  "unchanged-hunk": message("whyUnchanged"),
  "absolute-path": message("whyAbsolutePath"),
  "dotted-path": message("whyDotted"),
  "quoted-path": message("whyQuoted"),
  "prefixed-path": message("whyPrefixed"),
  "case-rename": message("whyCase"),
  "moved-onto-itself": message("whyItself"),
};

/** Nothing where the form was strict. */
export function formatNote(notes: readonly PlanNote[]): Message | undefined {
  const lines = new Set(notes.map(({ code }) => reasons[code]));
  return lines.size === 0 ? undefined : message("patchFormat", { why: [...lines] });
}

/** Of what concerns the patch as a whole, or a file that it leaves as it is. */
export function formatNoteOfAll({ notes, changes }: Plan): Message | undefined {
  const isChanged = ({ folder, path }: FileName) =>
    changes.some(({ file }) => file.folder === folder && file.path === path);
  return formatNote(notes.filter(({ file }) => file === undefined || !isChanged(file)));
}
