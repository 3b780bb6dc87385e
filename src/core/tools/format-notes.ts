// How a patch that was not quite in the strict form was read, in one sentence for people.
import type { FileName, NoteCode, Plan, PlanNote } from "../patch/model.ts";

const reasons: Record<NoteCode, string> = {
  prose: "text around the patch was ignored",
  wrapped: "the patch was unwrapped",
  decorated: "decorated markers were accepted",
  "no-begin": "the begin marker was missing",
  "no-end": "the end marker was missing",
  "several-envelopes": "several patches were combined",
  environment: "an environment line was ignored",
  "git-headers": "Git headers were ignored",
  "no-newline-remark": "a remark about the last line break was ignored",
  "no-blanks": "context lines had no leading space",
  "line-numbers": "line numbers were removed",
  "unchanged-hunk": "a hunk without changes was skipped",
  "absolute-path": "the path was absolute",
  "dotted-path": "the path contained '..'",
  "quoted-path": "the path was quoted",
  "prefixed-path": "the path had a Git prefix",
  "case-rename": "only the letter case of the name changes",
  "moved-onto-itself": "the file keeps its name",
};

/** Nothing where the form was strict. */
export function formatNote(notes: readonly PlanNote[]): string | undefined {
  const said = new Set(notes.map(({ code }) => reasons[code]));
  return said.size === 0 ? undefined : `Format corrected: ${[...said].join("; ")}.`;
}

/** Of what concerns the patch as a whole, or a file that it leaves as it is. */
export function formatNoteOfAll({ notes, changes }: Plan): string | undefined {
  const isChanged = ({ folder, path }: FileName) =>
    changes.some(({ file }) => file.folder === folder && file.path === path);
  return formatNote(notes.filter(({ file }) => file === undefined || !isChanged(file)));
}
