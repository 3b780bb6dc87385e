// The rules by which a change gets its flags: one row each, readable and without a model. What a row asks for is beside it
// in a file of its own, as patterns over one change and the lines around it.
import { demandsOf, isWeaker } from "./assertions.ts";
import { configChange } from "./config-files.ts";
import type { RiskFlag } from "./flags.ts";
import { hiddenIn } from "./hidden.ts";
import { type Hunk, touching } from "./hunk.ts";
import { isProgram } from "./languages.ts";
import { silencesIn } from "./silenced.ts";
import { swallowing } from "./swallowed.ts";

interface Rule {
  readonly flag: RiskFlag;
  /** The change, by itself, deserves the flag. */
  readonly holds: (hunk: Hunk) => boolean;
}

/** What there was before is counted only where there is something now: most changes have nothing of the kind. */
function more(now: number, before: () => number): boolean {
  return now > 0 && now > before();
}

/** Lines that are gone, less those that came. */
const many = 30;
const notWritten = /(?:\.lock|\.min\.[cm]?js|-lock\.json|-lock\.yaml|\.sum|\.snap|\.map|\.svg|\.csv)$/i;

/**
 * In the order of weight; `public-api` and `out-of-scope` need more than one change to be known, and `format-only`
 * (format.ts) that there is nothing of all these.
 */
export const rules: readonly Rule[] = [
  {
    flag: "hidden-characters",
    holds: ({ added, removed, after, before }) =>
      more(hiddenIn(added, after), () => hiddenIn(removed, before)),
  },
  {
    flag: "secret",
    holds: ({ added, removed, secretsIn }) =>
      more(secretsOf(added, secretsIn), () => secretsOf(removed, secretsIn)),
  },
  {
    flag: "test-weakened",
    // What one change takes away, another one right beside it may have brought.
    holds({ isTest, language, before, after, near }) {
      if (!isTest) return false;
      const asks = (code: string) => demandsOf(code, language);
      if (!isWeaker(asks(before.code), asks(after.code))) return false;
      const beside = near();
      return isWeaker(asks(beside.before), asks(beside.after));
    },
  },
  {
    flag: "check-silenced",
    holds({ silencers, before, after, removed, added }) {
      const of = ({ code, notes }: Hunk["after"], text: string) =>
        silencesIn({ code, notes, text }, silencers);
      return more(of(after, added), () => of(before, removed));
    },
  },
  { flag: "executable-config", holds: (hunk) => configChange(hunk) === "executable-config" },
  { flag: "dependency", holds: (hunk) => configChange(hunk) === "dependency" },
  {
    flag: "errors-swallowed",
    holds({ language, before, after, isTest }) {
      const pattern = swallowing[language];
      return (
        pattern !== undefined && !isTest && more(touching(after, pattern), () => touching(before, pattern))
      );
    },
  },
  {
    flag: "large-deletion",
    holds: ({ path, before, after }) =>
      before.at.last - before.at.first >= many &&
      !notWritten.test(path) &&
      before.written - after.written >= many,
  },
];

/** The filter makes holes, and takes `$` for a variable; between two letters of a literal it is one of a password's. */
const secretsOf = (text: string, secretsIn: Hunk["secretsIn"]): number =>
  text === "" ? 0 : secretsIn(text.replace(/(?<=[A-Za-z0-9])\$(?=[A-Za-z0-9])/g, "+"));

/** Names of a test or of a page of words are nobody's to call. */
export const hasNames = ({ isTest, language }: Pick<Hunk, "isTest" | "language">): boolean =>
  isProgram(language) && !isTest;
