// Texts of four kinds in any number, each different, the same in every run: what token estimates are measured on.

export const contentKinds = ["prose", "code", "data", "wide"] as const;
export type ContentKind = (typeof contentKinds)[number];

/** A small generator with a seed: tests must not depend on chance. */
function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32;
  };
}

const english =
  "the a of to in that is was for it with as his on be at by had not are but from or have an they which one you were all her she there would their we him been has when who will no more if out so said what up its about into than them can only other time new some could these two may first then do any like my now over such our man me even most made after also did many must before back see through way where get much go well your know should down work year because come people just say each those take day good how long little own state still big make world again three here see international responsibility understanding unfortunately implementation configuration".split(
    " ",
  );
const names =
  "value index result items count length getElementById parseHeader maxRetries userName isValid onDidChange readFile writeChunk HTTPServer toString buffer offset position state next previous connection".split(
    " ",
  );
const kana = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん";
const ideographs =
  "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后";
const cyrillic =
  "привет мир это пример текста который нужен чтобы проверить оценку количества слов в разных языках".split(
    " ",
  );

export function sampleTexts(kind: ContentKind, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => makers[kind](chance(at * 7919 + kind.length * 31 + 1)));
}

const pick = <T>(from: readonly T[], random: () => number): T =>
  from[Math.floor(random() * from.length)] as T;
const many = (least: number, most: number, random: () => number) =>
  Array.from({ length: least + Math.floor(random() * (most - least)) });

const makers: Record<ContentKind, (random: () => number) => string> = {
  prose(random) {
    const sentence = () => {
      const words = many(5, 25, random).map(() => pick(english, random) + (random() < 0.08 ? "," : ""));
      const text = words.join(" ");
      return `${text.charAt(0).toUpperCase()}${text.slice(1)}${pick([".", ".", ".", "?", "!"], random)}`;
    };
    const paragraph = () => many(2, 7, random).map(sentence).join(" ");
    return many(2, 12, random).map(paragraph).join("\n\n");
  },
  code(random) {
    const line = () => {
      const [a, b, c] = [pick(names, random), pick(names, random), pick(names, random)];
      return pick(
        [
          `const ${a} = ${b}(${c}, ${Math.floor(random() * 1000)});`,
          `if (${a}.${b} !== undefined) return ${c};`,
          `// ${many(3, 10, random)
            .map(() => pick(english, random))
            .join(" ")}`,
          `for (const ${a} of ${b}) ${c}.push(\`\${${a}}\`);`,
          `${a}.${b} = { ${c}: true, "${a}": [${Math.floor(random() * 99)}] };`,
          "",
        ],
        random,
      );
    };
    const block = () =>
      [
        `export function ${pick(names, random)}(${pick(names, random)}: string): void {`,
        ...many(3, 15, random).map(() => "  ".repeat(1 + Math.floor(random() * 3)) + line()),
        "}",
      ].join("\n");
    return many(2, 12, random).map(block).join("\n\n");
  },
  data(random) {
    const number = () => (random() * 10 ** Math.floor(random() * 7)).toFixed(Math.floor(random() * 4));
    const row = () => `[${many(4, 9, random).map(number).join(",")}],`;
    const field = () =>
      `{"id":${number()},"v":[${number()},${number()}],"t":"2024-0${1 + Math.floor(random() * 9)}-11T08:15:00Z"},`;
    return many(10, 60, random)
      .map(() => (random() < 0.5 ? row() : field()))
      .join("\n");
  },
  wide(random) {
    const signs = (from: string) =>
      many(5, 30, random)
        .map(() => pick([...from], random))
        .join("");
    const sentence = () =>
      pick(
        [
          `${signs(ideographs)}，${signs(ideographs)}。`,
          `${signs(kana)}、${signs(kana + ideographs)}。`,
          `${many(4, 15, random)
            .map(() => pick(cyrillic, random))
            .join(" ")}.`,
        ],
        random,
      );
    return many(5, 25, random).map(sentence).join("\n");
  },
};
