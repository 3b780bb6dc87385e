// Conditions of the manifest, evaluated as VS Code does it: `&&` binds tighter than `||`, an unknown key is false.

export type Situation = Readonly<Record<string, unknown>>;

export function holds(when: string | undefined, situation: Situation): boolean {
  if (when === undefined) return true;
  return when.split("||").some((side) => side.split("&&").every((term) => isTrue(term.trim(), situation)));
}

function isTrue(term: string, situation: Situation): boolean {
  const [, key = "", sign, word, wanted = ""] =
    /^([\w.-]+)(?:\s*(==|!=|=~)\s*|\s+(in)\s+)(.+)$/.exec(term) ?? [];
  switch (sign ?? word) {
    case "==":
      return String(situation[key]) === unquoted(wanted);
    case "!=":
      return String(situation[key]) !== unquoted(wanted);
    case "=~":
      return new RegExp(wanted.replace(/^\/|\/$/g, "")).test(String(situation[key] ?? ""));
    case "in":
      return [situation[wanted]].flat().includes(situation[key]);
    default:
      if (!/^!?[\w.-]+$/.test(term)) throw new Error(`This condition is not understood: ${term}`);
      return term.startsWith("!") ? !situation[term.slice(1)] : term === "true" || Boolean(situation[term]);
  }
}

const unquoted = (text: string): string => text.replace(/^'(.*)'$/, "$1");
