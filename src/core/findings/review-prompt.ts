// What a model is asked for when code is reviewed, and how much of the code goes with each question. The answer is data in
// a block of text, which every model can write; each finding quotes its line, since models count lines badly. Pure.

/** What is reviewed: a file, some lines of it, or what has changed in it. */
export interface Piece {
  /** As the model is to call it. */
  readonly name: string;
  readonly bytes: number;
}

/** About as much as is read with the same care from its first line to its last. */
const maxBytes = 100_000;
const maxPieces = 20;

/** Whole pieces, in their order: each batch is one question, and what is larger than one is a question of its own. */
export function batchesOf<P extends Piece>(pieces: readonly P[]): readonly (readonly P[])[] {
  const batches: P[][] = [];
  let bytes = 0;
  for (const piece of pieces) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= maxPieces || bytes + piece.bytes > maxBytes) {
      batches.push([piece]);
      bytes = piece.bytes;
    } else {
      last.push(piece);
      bytes += piece.bytes;
    }
  }
  return batches;
}

const quoted = (name: string): string => JSON.stringify(name);

/** `names`: of the pieces that go with it; `about`: which part of them is meant, where that is not all. */
export const reviewPrompt = (names: readonly string[], about?: string): string =>
  [
    `Review the attached code like a careful colleague: ${names.map(quoted).join(", ")}.`,
    ...(about === undefined ? [] : [`Only this is in question, the rest stands around it: ${about}.`]),
    "Report what is wrong or risky, the most serious first. Leave out matters of taste. Of a diff, review what it changes.",
    "Answer with a list of findings and nothing else: one fenced block of JSON that holds an array of objects.",
    "The fields of each object:",
    '- "file": one of the names above;',
    '- "line": the number of the first line concerned, in the file as it is after any change;',
    '- "lastLine": the number of the last one;',
    '- "code": the text of the first line concerned, copied exactly, without the sign of a diff;',
    '- "severity": "error" for what fails, "warning" for what may fail, "note" for the rest;',
    '- "reason": one sentence, what can happen and when;',
    '- "suggestion": how to do it better, in a few words; leave the field out where there is none.',
    "If there is nothing to report, the array is empty.",
  ].join("\n");
