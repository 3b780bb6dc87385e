// Tells lines that declare what a search has found from lines that use it, by their letters alone: an answer that has no
// room for all matches shows these first. A line that is told wrongly costs a place, nothing else.

/** `const area`, `func (r *Shape) area`, `export class Area`; the name and what stands before it. */
const byKeyword =
  /^\s*(?:(?:export|declare|default|async|public|private|protected|internal|static|abstract|final|override|readonly|inline|extern|unsafe|virtual|pub(?:\(\w{1,20}\))?) ){0,5}(?:function\*?|class|interface|type|enum|struct|trait|impl|def|defp|fn|func|fun|const|let|var|val|module|namespace|macro_rules!|#[ \t]?define)\s+(?:\([^()]{0,80}\)\s*)?[*&]{0,2}(?<name>[\p{L}_$][\p{L}\p{N}_$]*)/du;
/** `area(of) {`, `async #area(`, `static const char *area(int of) {`. */
const byForm =
  /^\s*(?<before>(?:[\p{L}_][\p{L}\p{N}_<>[\],.:]{0,60}[ \t]{1,4}){0,6})[*&]{0,2}(?<name>#?[\p{L}_$][\p{L}\p{N}_$]*)\s?(?:<[^<>()]{0,80}>)?\((?<after>.*)$/du;
const statements =
  /^(?:if|for|while|switch|catch|return|throw|await|yield|new|else|case|do|delete|typeof|void|with|assert|print|elif|except|not|and|or|in|of|function)$/;

/** `at`: where the match begins in the line. */
export function declares(line: string, at: number): boolean {
  const read = line.slice(0, 300);
  const named = byKeyword.exec(read);
  if (named !== null && isNamed(named, at)) return true;
  const formed = byForm.exec(read);
  if (formed === null) return false;
  const { before = "", name = "", after = "" } = formed.groups ?? {};
  if ([...before.trim().split(/\s+/), name].some((word) => statements.test(word))) return false;
  const isBegun = /\{\s*$/.test(after) && !/=>|\bfunction\b/.test(after);
  // Its parameters are on the next lines: calls look like that, too, but for these.
  const isOpen = after.trim() === "" && (name.startsWith("#") || /\b(?:async|static|public)\s/.test(before));
  return (isBegun || isOpen) && isNamed(formed, at);
}

/** Whether the match is in the name, or in what stands before it. */
const isNamed = ({ indices }: RegExpExecArray, at: number): boolean =>
  at < (indices?.groups?.["name"]?.[1] ?? 0);

/** Ranks declarations first and imports and comments last: a search for a word usually looks for its declaration. */
export function rankOf({
  text,
  declares: isDeclared,
}: {
  readonly text: string;
  readonly declares?: true;
}): number {
  if (isDeclared === true) return 0;
  return /^\s*(?:\/\/|\/\*|\*|#|--|<!--|(?:import|from|use|using)\s)/.test(text) ? 2 : 1;
}
