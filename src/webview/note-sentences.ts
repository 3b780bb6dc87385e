// What a chip says of what is attached – what was left out of it, and why – in the reader's language. What is not among
// these sentences stays as it came. Pure.
import { patchReasons } from "./patch-sentences.ts";
import { sayingInWords } from "./said-in-words.ts";

/** What read-attachment.ts and guarded-files.ts of core/tools say. */
export const noteSentences = {
  noteLate: '"{name}" took too long to read.',
  noteUnread: '"{name}" could not be read.',
  noteRefused: '"{name}" cannot be read: {why}.',
  noteMissing: 'There is no "{name}".',
  noteGone: 'The conversation "{name}" does not exist any more.',
  noteNoFile: '"{name}" is not a file.',
  noteNoFolder: '"{name}" is not a folder.',
  noteNoText: '"{name}" is not a text file.',
  noteLarge: '"{name}" is larger than 5 MB.',
  noteChanged: '"{name}" changed while it was read.',
  noteNoPicture: '"{name}" is not a picture that can be sent.',
  noteLargePicture: '"{name}" is larger than 20 MB.',
  noteOneLine: '"{name}" has only 1 line.',
  noteShort: '"{name}" has only {count} lines.',
  noteOneHidden: "1 file on the ignore list is left out.",
  noteHidden: "{count} files on the ignore list are left out.",
  noteLines: "It is long: only the lines up to {line} are sent.",
  noteEnd: "It is long: only its end is sent.",
  noteBeginning: "It is long: only its beginning is sent.",
  noteNothing: "There is nothing in it.",
  noteInvisible: "It holds invisible characters.",
  noteOneSecret: "1 secret was taken out of this text.",
  noteSecrets: "{count} secrets were taken out of this text.",
  whyNeverSent: "it is on the list of files that are never sent",
  whyRule: 'nothing is sent while the ignore rule "{pattern}" cannot be read',
  whyIgnoreFile: "nothing is sent while {name} cannot be read",
  whyOutside: "it leads out of the workspace",
  whyEditors: "it belongs to the editor",
} as const;

type Key = keyof typeof noteSentences | keyof typeof patchReasons;

const say = sayingInWords<Key>({ ...noteSentences, ...patchReasons });
const between = /(?<=\.) (?=\S)/u;

export function noteInWords(note: string, words: Readonly<Record<Key, string>>): string {
  const whole = say(note, words);
  if (whole !== note) return whole;
  return note
    .split(between)
    .map((sentence) => say(sentence, words))
    .join(" ");
}
