// Finds added lines that stand for omitted code: `// ... existing code ...`, in any comment syntax and several
// languages. Written to a file, they would replace the code that they refer to. A line counts only if it says nothing
// else and is not text: not in prose, in a multi-line string, or where the file already has it.

import { type Lines, lineAt } from "../edits.ts";
import type { FileSection } from "../model.ts";

/** Returns the first placeholder that the section would write to a path; `lines` are the file's, if it exists. */
export function findPlaceholder(section: FileSection, path: string, lines?: Lines): string | undefined {
  if (section.kind === "delete" || isProse.test(path)) return undefined;
  if (section.kind === "add") return firstOutsideStrings(section.lines, section.lines, []);
  for (const { lines: own } of section.hunks) {
    if (!own.some(({ kind, text }) => kind === "added" && isPlaceholder(text))) continue;
    const added = own.flatMap(({ kind, text }) => (kind === "added" && isPlaceholder(text) ? [text] : []));
    const rows =
      lines === undefined ? [] : Array.from({ length: lines.count }, (_, row) => lineAt(lines, row));
    const known = new Set(rows.map((row) => row.trim()));
    const unknown = added.filter((text) => !known.has(text.trim()));
    const old = own.find(({ kind, text }) => kind !== "added" && text.trim() !== "")?.text;
    const above = old === undefined ? [] : rows.slice(0, Math.max(0, rows.indexOf(old)));
    const after = own.flatMap(({ kind, text }) => (kind === "removed" ? [] : [text]));
    const found = firstOutsideStrings(unknown, after, above);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isProse = /\.(?:md|mdx|markdown|mdown|rst|adoc|asciidoc|txt|text|org|tex|prompt)$/i;

function firstOutsideStrings(
  wanted: readonly string[],
  lines: readonly string[],
  above: readonly string[],
): string | undefined {
  const placeholders = new Set(wanted.filter(isPlaceholder));
  if (placeholders.size === 0) return undefined;
  const open = new Set<string>();
  for (const line of above) toggleStrings(line, open);
  for (const line of lines) {
    if (open.size === 0 && placeholders.has(line)) return line;
    toggleStrings(line, open);
  }
  return undefined;
}

/** Updates which kinds of multi-line strings are open after this line. */
export function toggleStrings(line: string, open: Set<string>): void {
  for (const sign of ["`", '"""', "'''"]) {
    const isOdd = line.split(sign).length % 2 === 0;
    if (isOdd && !open.delete(sign)) open.add(sign);
  }
}

const longest = 160;
const comment =
  /^(?:\/\/(?![/!])|\/\*(?!\*)|\{\/\*|<!--|<%--|#(?!!)|--|;{1,3}|%{1,2}|\(\*|\{-|@\*|rem\b|!)[ \t]*(.*?)[ \t]*(?:\*\/\}?|-->|--%>|\*\)|-\}|\*@)?$/iu;
const leading = /^[[(（【<]{0,2}\s?(?:\.{3,6}|…{1,2}|。{3})/u;
const trailing = /(?:\.{3,6}|…{1,2}|。{3})\s?[\])）】>]{0,2}$/u;

const standsApart = /^[[(（【]?(?:\.{3,6}|…{1,2})\s.*\s(?:\.{3,6}|…{1,2})[\])）】]?$/u;

export function isPlaceholder(line: string): boolean {
  const text = line.trim();
  if (text.length > longest || !/\.{3}|…|。{3}/u.test(text)) return false;
  const commented = comment.exec(text)?.[1]?.trim();
  const said = commented ?? text;
  const [isLed, isTrailed] = [leading.test(said), trailing.test(said)];
  // Without comment syntax, dots on one side only are something else: `...rest`, a range, a string.
  if (commented === undefined && !standsApart.test(said)) return false;
  if (!isLed && !isTrailed) return false;
  const phrase = said.replace(leading, "").replace(trailing, "");
  return wide.test(phrase) ? isWidePhrase(phrase) : isPhrase(phrase, isLed);
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words for omitted code, in English, German, French, Spanish, Portuguese, Italian and Russian. */
const omitted = wordsOf(
  `existing remaining rest remainder unchanged omitted previous original other same
  bestehender bestehende bestehenden vorhandener vorhandene restlicher restliche restlichen unverändert unveränderter
  existant existante inchangé inchangée reste restant existente existentes restante resto esistente restante invariato
  существующий существующего остальной остальная остальное остаток`,
);
const parts = wordsOf(
  `code implementation implementations file function functions method methods class classes import imports field fields
  prop props property properties content contents logic body component components test tests case cases handler handlers
  route routes style styles rule rules attribute attributes statement statements definition definitions declaration
  declarations section sections config configuration markup line lines unchanged omitted before above
  codes datei inhalt funktion methode klasse unverändert fichier contenu fonction méthode inchangé código archivo arquivo
  función função método contenido conteúdo codice funzione metodo contenuto invariato код кода файла функции изменений`,
);
const between = wordsOf(
  `the your my this that of all some any for and or with here goes remains remain stays stay is are as keep kept no change
  changes not shown brevity in place it to be etc unmodified der die das des den bleibt hier le la les de du des est ici el
  los las del sin cambios aquí o a os as do da sem alterações aqui il lo gli i della qui часть без здесь`,
);
const plainHeads = wordsOf("existing remaining rest remainder unchanged omitted");
const plainParts = wordsOf("code implementation file content contents logic body");

/**
 * Every word must belong to such a remark. With dots only at its end it could be any heading, so the words must be more
 * specific.
 */
function isPhrase(phrase: string, isLed: boolean): boolean {
  const words =
    phrase
      .toLowerCase()
      .normalize("NFC")
      .match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const [heads, nouns] = isLed ? [omitted, parts] : [plainHeads, plainParts];
  const isAllKnown = words.every((word) => omitted.has(word) || parts.has(word) || between.has(word));
  if (words.length === 0 || words.length > 9 || !isAllKnown || /[=;{}$"'`]/.test(phrase)) return false;
  return words.some((word) => heads.has(word)) && words.some((word) => nouns.has(word));
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** The same for Chinese, Japanese and Korean. */
function isWidePhrase(phrase: string): boolean {
  const isShort = phrase.trim().length <= 24 && !/[=;{}$"'`]/.test(phrase);
  const isLeftOut =
    /现有|已有|原有|其余|其他|剩余|不变|省略|現有|其餘|剩餘|不變|既存|残り|その他|変更なし|기존|나머지|생략|변경 없음/u;
  const isPart =
    /代码|代碼|程式碼|部分|内容|內容|逻辑|邏輯|不变|不變|省略|コード|実装|変更なし|코드|구현|생략|변경 없음/u;
  return isShort && isLeftOut.test(phrase) && isPart.test(phrase);
}
