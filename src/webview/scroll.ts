// Follows new text only for a reader who is at the end. Somebody who has scrolled up is never moved.

const near = 24;

export interface Scroll {
  /** Runs a change of the content and keeps the reader where they were. */
  around(change: () => void): void;
  toEnd(): void;
}

export function scrollKeeper(element: HTMLElement): Scroll {
  const atEnd = () => element.scrollHeight - element.scrollTop - element.clientHeight <= near;
  const toEnd = () => {
    element.scrollTop = element.scrollHeight;
  };
  return {
    around(change) {
      const follow = atEnd();
      change();
      if (follow) toEnd();
    },
    toEnd,
  };
}
