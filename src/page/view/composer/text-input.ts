// What every text input of the page needs: input methods, the send key, and the text direction.
import type { Preferences } from "../../../bridge/preferences.ts";
import { directionOfText } from "../../markdown/direction.ts";

/**
 * Separates keys that belong to an input method from those that belong to the page. Every text input checks this before
 * it handles Enter or Escape, which choose or discard a word while composing. The result is true while an input method
 * composes and in the tick in which it ends: browsers disagree about the last key.
 */
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

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** Whether a key sends the text of an input, by the user's setting. */
export function isSendKey(
  { key, ctrlKey, metaKey, shiftKey, altKey }: Key,
  by: Preferences["sendKey"],
): boolean {
  if (key !== "Enter" || shiftKey || altKey) return false;
  return ctrlKey || metaKey || by === "enter";
}

const long = 20_000;

/**
 * The text direction of an input. With dir=auto the browser determines it for every paragraph, in time quadratic in the
 * longest one: pasting a megabyte on one line blocks the page for eight seconds. A long text gets the direction of its
 * first letter as a whole. Returns a function to call after the text was set by code; typed and pasted text is handled
 * before it is drawn.
 */
export function followDirection(input: HTMLTextAreaElement): () => void {
  const follow = (text: string, more = "") => {
    const isLong = text.length + more.length > long;
    const direction = isLong ? (directionOfText(text) ?? directionOfText(more) ?? "ltr") : "auto";
    if (input.dir !== direction) input.dir = direction;
  };
  input.addEventListener("beforeinput", ({ data }) => follow(input.value, data ?? ""));
  input.addEventListener("input", () => follow(input.value));
  return () => follow(input.value);
}
