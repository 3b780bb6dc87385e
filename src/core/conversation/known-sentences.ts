// The core says what it has to say in English, wherever it runs. Where it is shown its sentences are known again by their
// form – `Cannot reach {host} ({code}).` – so that they can be said in the reader's language. Pure.

export interface Sentences {
  /** From the first to the last character. */
  readonly whole: readonly string[];
  /** What follows them is the service's own. */
  readonly begun: readonly string[];
}

export interface KnownSentence {
  /** As it stands in the list. */
  readonly sentence: string;
  readonly holes: Readonly<Record<string, string>>;
  /** `: No such model.` */
  readonly rest: string;
}

/** Answers `undefined` for what is not among them. The forms are made when the first message comes. */
export function knowSentences({ whole, begun }: Sentences): (message: string) => KnownSentence | undefined {
  let forms: readonly (readonly [sentence: string, form: RegExp])[] | undefined;
  return (message) => {
    forms ??= [
      ...whole.map((sentence) => [sentence, formOf(sentence, "")] as const),
      ...begun.map((sentence) => [sentence, formOf(sentence, "(?<rest>(?:\\.|: .*))")] as const),
    ];
    for (const [sentence, form] of forms) {
      const found = form.exec(message);
      if (found === null) continue;
      const { rest = "", ...holes } = found.groups ?? {};
      return { sentence, holes, rest };
    }
    return undefined;
  };
}

export const fillHoles = (sentence: string, values: Readonly<Record<string, string | undefined>>): string =>
  sentence.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole);

const formOf = (sentence: string, rest: string): RegExp =>
  new RegExp(`^${patternOf(sentence)}${rest}$`, "su");

export function patternOf(sentence: string): string {
  return sentence
    .split(/\{(\w+)\}/)
    .map((part, index) =>
      index % 2 === 1 ? `(?<${part}>[^\\n]{1,300}?)` : part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"),
    )
    .join("");
}
