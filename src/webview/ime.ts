// Tells keys that belong to an input method from keys that belong to us. Every text input of the page asks here
// before it acts on Enter or Escape, since while composing they choose or drop a word.

/** True while an input method composes, and in the tick in which it ends: browsers disagree about the last key. */
export function composingGuard(input: HTMLElement): (event: KeyboardEvent) => boolean {
  let ended = false;
  input.addEventListener("compositionend", () => {
    ended = true;
    setTimeout(() => {
      ended = false;
    });
  });
  return (event) => event.isComposing || event.keyCode === 229 || ended;
}
