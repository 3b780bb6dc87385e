// The answers of a function of one text, kept for those that were asked last.

/** Characters of the texts: what was made of them is some times larger. */
const maxKept = 512 * 1024;

export function createRemembered<T>(work: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  let letters = 0;
  const forget = (text: string) => {
    if (kept.delete(text)) letters -= text.length;
  };
  return (text) => {
    const answer = kept.get(text) ?? work(text);
    // The one that was asked for longest ago is the first of the map.
    forget(text);
    kept.set(text, answer);
    letters += text.length;
    for (const first of kept.keys()) {
      if (letters <= maxKept) break;
      forget(first);
    }
    return answer;
  };
}
