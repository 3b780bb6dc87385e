// Where text runs from right to left, code and items of lists are set apart from what stands around them, or they would
// be turned with it. Only there: it makes each line they stand in dear to lay out.

/** Letters that run from right to left, or references that may be one: by half characters, for a text may be cut there. */
const turning = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\uD802\uD803\uD83A\uD83B]|&#/;

export interface Isolation {
  readonly isNeeded: boolean;
  /** Called with all of the text, piece by piece. */
  read(text: string): void;
}

/** `always`: the text's direction is not its own. */
export function isolation(root: HTMLElement, always: boolean): Isolation {
  let isNeeded = always;
  let last = "";
  root.classList.toggle("md-bidi", isNeeded);
  return {
    get isNeeded() {
      return isNeeded;
    },
    read(text) {
      if (isNeeded || !turning.test(last + text)) {
        last = text.slice(-1);
        return;
      }
      isNeeded = true;
      root.classList.add("md-bidi");
      for (const code of root.querySelectorAll("code")) {
        if (code.closest("pre, .md-math") === null) code.dir = "ltr";
      }
    },
  };
}
