// All sentences for people, as they stand in the source. Those of the messages and of the page stand in tables, English
// and Chinese side by side (src/util/sentences.ts). Those of the editor's own windows stand where they are shown, as
// VS Code has it: `vscode.l10n.t("…")`, with their Chinese in the room's chinese.json. The build makes of both the
// language bundle that ships, and tables of English alone.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const literal = String.raw`("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`;
const pair = new RegExp(String.raw`\{\s*en: ${literal},\s*zh: ${literal},?\s*\}`, "g");
/** `t("…")` and `vscode.l10n.t("…")`; the first argument is always one literal. */
const shown = new RegExp(String.raw`\bt\(\s*${literal}`, "g");

/** @param {string} quoted */
function textOf(quoted) {
  if (quoted.startsWith('"')) return JSON.parse(quoted);
  return JSON.parse(`"${quoted.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"')}"`);
}

/** @param {string} source */
const hasTables = (source) => source.includes("englishOf(");

/** @param {string} path */
const roomOf = (path) => path.split("/")[1] ?? "";

/**
 * The entries of a file's tables.
 * @param {string} path
 * @param {string} source
 */
export function pairsIn(path, source) {
  if (!hasTables(source)) return [];
  const pairs = [...source.matchAll(pair)].map(([, en = "", zh = ""]) => ({
    en: /** @type {string} */ (textOf(en)),
    zh: /** @type {string} */ (textOf(zh)),
  }));
  // Anything else would ship with its Chinese.
  if (source.match(/\b(en|zh):/g)?.length !== 2 * pairs.length)
    throw new Error(`${path}: an entry of a table is { en: "…", zh: "…" }, and both are literals.`);
  return pairs;
}

/**
 * A file's source as it ships: without the Chinese of its tables, and without marks. What is left are plain values, of
 * which esbuild leaves out those that nobody reads.
 * @param {string} path
 * @param {string} source
 */
export function asShipped(path, source) {
  const english = pairsIn(path, source).length > 0 ? source.replaceAll(pair, "$1") : source;
  return english.replaceAll(/\b(englishOf|forModel|forLog)\(/g, "(");
}

/** Reads every file of the source with such an end. */
function readAll(root, end) {
  const names = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" });
  const paths = names.map((name) => `src/${name.replaceAll("\\", "/")}`).filter((path) => path.endsWith(end));
  return paths.sort().map((path) => ({ path, source: readFileSync(join(root, path), "utf8") }));
}

/** The files that the language bundle is made of. */
export const sentenceFiles = (root = process.cwd()) =>
  [...readAll(root, ".ts").filter(({ source }) => hasTables(source)), ...readAll(root, "/chinese.json")].map(
    ({ path }) => join(root, path),
  );

/** Every entry of every table. */
export const tableSentences = (root = process.cwd()) =>
  readAll(root, ".ts").flatMap(({ path, source }) => pairsIn(path, source));

/** Every sentence that the host shows in the editor's own windows, with the rooms that say it. */
export function shownSentences(root = process.cwd()) {
  /** @type {Map<string, Set<string>>} */
  const rooms = new Map();
  for (const { path, source } of readAll(root, ".ts"))
    for (const [, quoted = ""] of source.matchAll(shown)) {
      const sentence = textOf(quoted);
      rooms.set(sentence, new Set([...(rooms.get(sentence) ?? []), roomOf(path)]));
    }
  return rooms;
}

/**
 * The Chinese of what rooms show in the editor's own windows, by room. What several rooms say, `editor` has.
 * @returns {Map<string, Record<string, string>>}
 */
export const chineseByRoom = (root = process.cwd()) =>
  new Map(readAll(root, "/chinese.json").map(({ path, source }) => [roomOf(path), JSON.parse(source)]));

/** The bundle as VS Code reads it: the Chinese of each English sentence. */
export function chineseBundle(root = process.cwd()) {
  /** @type {Record<string, string>} */
  const bundle = {};
  const entries = [
    ...tableSentences(root).map(({ en, zh }) => [en, zh]),
    ...[...chineseByRoom(root).values()].flatMap(Object.entries),
  ];
  for (const [en, zh] of entries) {
    if ((bundle[en] ?? zh) !== zh)
      throw new Error(`“${en}” cannot be both “${bundle[en]}” and “${zh}” in Chinese.`);
    bundle[en] = zh;
  }
  return bundle;
}
