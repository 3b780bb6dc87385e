// How a sentence for people is written down: once, where its room says it, in English and Chinese side by side. The
// build keeps the English alone in what ships (test/support/sentences.mjs) and puts the Chinese into the language
// bundle, from which VS Code and the page have it at run time.

/** Holes stand in braces, in both languages: `{ en: "Read {path}", zh: "读取 {path}" }`. */
interface Sentence {
  readonly en: string;
  readonly zh: string;
}

type English<Table extends Readonly<Record<string, Sentence>>> = {
  readonly [Name in keyof Table]: Table[Name]["en"];
};

/** The English sentences of a table. Its entries are literals, since the build reads them from the source. */
export function englishOf<const Table extends Readonly<Record<string, Sentence>>>(
  table: Table,
): English<Table> {
  return Object.fromEntries(Object.entries(table).map(([name, { en }]) => [name, en])) as English<Table>;
}

/** Marks what the model reads and no person: it is in English alone. */
export function forModel<const Words>(words: Words): Words {
  return words;
}

/** Marks text for the log, or for a developer whose call was refused: it is in English only. */
export function forLog<const Words>(words: Words): Words {
  return words;
}
