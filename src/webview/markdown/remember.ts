// While a text arrives, the same questions about its links are asked with every delta: the last answers are kept.

const most = 256;

/** The same answers; those to the last questions are not worked out again. */
export function remembering<Answer>(answer: (question: string) => Answer): (question: string) => Answer {
  const known = new Map<string, { readonly found: Answer }>();
  return (question) => {
    const before = known.get(question);
    if (before !== undefined) return before.found;
    const found = answer(question);
    if (known.size === most) known.clear();
    known.set(question, { found });
    return found;
  };
}
