// How a review is asked for, and how much code is sent with each request. The response is data in a code block, which
// every model can write; each finding quotes its line, since models count lines badly.
import { forModel } from "../../util/sentences.ts";

/** A unit of review: a file, some of its lines, or its changes. */
interface Piece {
  /** The name that the model must use for it. */
  readonly name: string;
  readonly bytes: number;
}

/** Tools with which a model can look at code that a finding depends on. */
export const reviewTools: readonly string[] = ["read_file", "search_text"];

/** About as much as a model reads with the same care from the first line to the last. */
const maxBytes = 100_000;
const maxPieces = 20;

/**
 * Groups whole pieces in order; each batch is one request. A piece that is too large for a batch is a request of its
 * own.
 */
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

/** `names`: the pieces that are sent; `about`: the part of them that is meant, if not all. */
export const reviewPrompt = (names: readonly string[], about?: string): string =>
  forModel([
    `Review the attached code like a careful colleague: ${names.map(quoted).join(", ")}.`,
    ...(about === undefined
      ? []
      : [`Review only ${about}; what else is attached is there to be understood.`]),
    "Report what is wrong or risky, the most serious first. Leave out matters of taste. Of a diff, review what it changes.",
    "Where a finding depends on code that is not attached and you have tools to read files, look at that code first: report what you have seen to be so, and drop what turns out to be none.",
    "Then answer with a list of findings and nothing else: one fenced block of JSON that holds an array of objects.",
    "The fields of each object:",
    '- "file": one of the names above;',
    '- "line": the number of the first line concerned, in the file as it is after any change;',
    '- "lastLine": the number of the last one;',
    '- "code": the text of the first line concerned, copied exactly, without the sign of a diff;',
    '- "severity": "error" for what fails, "warning" for what may fail, "note" for the rest;',
    '- "confidence": "certain" for what you have seen to be so, "likely" for what follows from what you have read, "unsure" for what depends on code that you have not read;',
    '- "title": what is wrong, in at most six words;',
    '- "reason": one sentence, what can happen and when;',
    '- "suggestion": how to do it better, in a few words; leave the field out where there is none.',
    "If there is nothing to report, the array is empty.",
  ]).join("\n");
