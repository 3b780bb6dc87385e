// Claims in German, French and Spanish. A piece of a clause has to be one of their sentences as a whole, so that a word
// nobody thought of makes it none.
import type { ClaimKind, ClaimScope, FoundClaim } from "../claims.ts";
import { commandOf } from "./checks-in-english.ts";
import type { Claimed } from "./guards.ts";
import { type Clause, code, isPath } from "./own-words.ts";
import { type Language, languages } from "./sentences-in-european-languages.ts";

interface Table {
  readonly language: Language;
  readonly tests: RegExp;
  readonly inverted: RegExp;
  readonly label: RegExp;
  readonly command: RegExp;
  readonly tools: readonly (readonly [ClaimKind, RegExp])[];
  readonly compiles: RegExp;
}

const tables = languages.map((language): Table => {
  const { filling, all, tests, passes, types, lint, build, checks, clean, compiles } = language;
  const filled = `(?:(?:${filling}) )*`;
  const filledAfter = `(?: (?:${filling}))*`;
  const toolOf = (subject: string) =>
    new RegExp(`^${filled}(?:${subject})(?: ?:)?${filledAfter} (?:${clean})${filledAfter}$`, "u");
  const subject = `(?:(?:${all}) )?(?:alle )?(\\d{1,6} )?(?:bestehenden |vorhandenen |neuen )?(${tests})`;
  return {
    language,
    tests: new RegExp(`^${filled}${subject}${filledAfter} (?:${passes})${filledAfter}$`, "u"),
    // German puts the verb before its subject where another word comes first.
    inverted: new RegExp(
      `^(?:(?:${filling}) ){1,3}(?:bestehen|laufen|sind|passent|pasan) ${filled}${subject}(?: (?:durch|grün|erfolgreich|fehlerfrei))*$`,
      "u",
    ),
    label: new RegExp(`^(${tests}) ?: ?(?:(?:${filling}) )*(?:${passes})$`, "u"),
    command: new RegExp(
      `^(?:le |el |la |der )?${code} ?:? ?(?:(?:${filling}) )*(?:${clean}|${passes})${filledAfter}$`,
      "u",
    ),
    tools: [
      ["types-check", toolOf(types)],
      ["lint-clean", toolOf(lint)],
      ["builds", toolOf(build)],
      [
        "checks-pass",
        new RegExp(`^${filled}(?:${checks})${filledAfter} (?:${clean}|${passes})${filledAfter}$`, "u"),
      ],
    ],
    compiles: new RegExp(`^${filled}(?:${compiles})${filledAfter}$`, "u"),
  };
});

export function claimsInEurope(claimed: readonly Claimed[], sentence: string): FoundClaim[] {
  const all: FoundClaim[] = [];
  const told = tables.filter(({ language }) => !language.guard.test(sentence));
  for (const { clause: given, before } of claimed) {
    const hedged = told.length < tables.length ? withoutHedge(given) : undefined;
    const clause = hedged?.clause ?? given;
    for (const table of hedged === undefined ? told : [hedged.table]) {
      const pieces = clause.words.split(table.language.and);
      const found = pieces.flatMap((piece, at) =>
        inPiece(piece.trim(), clause, table, pieces[at - 1] ?? before?.words ?? ""),
      );
      for (const { kind, scope } of found)
        all.push({
          kind,
          quote: clause.quote,
          scope: hedged === undefined ? scope : { ...scope, isLoose: true },
        });
      if (found.length > 0) break;
    }
  }
  return all;
}

/** "Nun sollten alle Tests durchlaufen", as if it said that they do. */
function withoutHedge(clause: Clause): { readonly clause: Clause; readonly table: Table } | undefined {
  for (const table of tables)
    for (const [hedge, fact] of table.language.hedges)
      if (hedge.test(clause.words)) {
        const words = clause.words.replace(hedge, fact).trim();
        if (!table.language.guard.test(words)) return { clause: { ...clause, words }, table };
      }
  return undefined;
}

interface Found {
  readonly kind: ClaimKind;
  readonly scope: ClaimScope;
}

function inPiece(words: string, { names }: Clause, table: Table, before: string): readonly Found[] {
  const { language } = table;
  if (language.everything.test(words) && language.ran.test(before.trim()))
    return [{ kind: "tests-pass", scope: {} }];
  const named = table.tests.exec(words) ?? table.inverted.exec(words);
  if (named !== null) return names.length > 0 ? [] : [{ kind: "tests-pass", scope: scopeOf(words) }];
  if (table.label.test(words)) return [{ kind: "tests-pass", scope: scopeOf(words) }];
  const command = names.length === 1 && table.command.test(words) ? commandOf(names[0] ?? "") : undefined;
  if (command !== undefined) return [{ kind: command.kind, scope: {} }];
  if (table.compiles.test(words)) return [{ kind: "builds", scope: { compiles: true } }];
  const tool = table.tools.find(([, pattern]) => pattern.test(words))?.[0];
  if (tool !== undefined) return [{ kind: tool, scope: {} }];
  const other = language.others.find(([, pattern]) => pattern.test(words))?.[0];
  return other === undefined ? [] : aboutTheChange(other, names, words);
}

function aboutTheChange(kind: ClaimKind, names: readonly string[], words: string): readonly Found[] {
  if (kind === "only-files") {
    const paths = names.filter(isPath);
    const isOthers = paths.length === 0 && /ander|weiter|autre|otro/.test(words);
    return isOthers
      ? [{ kind, scope: { isOthers } }]
      : paths.length === 0
        ? []
        : [{ kind, scope: { names: paths } }];
  }
  if (kind === "formatting-only" && names.length > 0) return [];
  const isNamed = kind === "no-other-callers" || kind === "callers-updated" || kind === "api-unchanged";
  return [{ kind, scope: isNamed ? { names } : {} }];
}

/** Which of the tests are meant. */
function scopeOf(words: string): ClaimScope {
  const [digits] = /\d{1,6}/.exec(words) ?? [];
  return {
    ...(digits !== undefined && { count: Number(digits) }),
    ...(/unit/.test(words) && { part: "unit" }),
    ...(/integra|intégra/.test(words) && { part: "integration" }),
    ...(/bestehenden|vorhandenen|existierenden|existants|actuels|existentes|actuales/.test(words) && {
      isExisting: true as const,
    }),
  };
}
