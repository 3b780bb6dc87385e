// The pseudo-locale: a sentence marked and lengthened, so that a test sees at once which words do not come from a
// dictionary, and what longer languages do to the layout. It is made where a test needs it and ships with nothing.

const accents = Object.fromEntries(
  [..."aeiouyAEIOUYcn"].map((letter, index) => [letter, "áéíóúýÁÉÍÓÚÝçñ"[index]]),
);

/** Holes ({count}), icons ($(check)), code and addresses of commands stay as they are. */
export function pseudo(sentence) {
  const kept = /\{\w+\}|\$\(\w+\)|`[^`]*`|\(command:[^)]*\)|[aeiouycn]/gi;
  const body = sentence.replace(kept, (found) => accents[found] ?? found);
  return `⟦${body}${"·".repeat(Math.ceil(sentence.length / 4))}⟧`;
}

export const pseudoBundle = (sentences) =>
  Object.fromEntries(sentences.map((sentence) => [sentence, pseudo(sentence)]));
