// The questions of a long test, as they stand in a prompt, a box or a file: each in a paragraph of its own.

/** A word and a number, as `say 26` or `say 26.5`. */
const question = /[a-z]+ \d+(?:\.\d+)?/g;

/** What came back into the box stands beside what was typed there meanwhile, and may be sent along with it. */
export const questionsIn = (...texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => text.split("\n\n")).map((paragraph) => paragraph.trim());

/** Paragraphs of several questions: none of these is lost, but nobody has written that. */
export const runTogether = (...texts: readonly string[]): readonly string[] =>
  questionsIn(...texts).filter((paragraph) => (paragraph.match(question) ?? []).length > 1);

/** Whether it is there, be it run together with another one. */
export const holdsQuestion = (asked: string, ...texts: readonly string[]): boolean =>
  questionsIn(...texts).includes(asked) ||
  runTogether(...texts).some((paragraph) => paragraph.match(question)?.includes(asked));
