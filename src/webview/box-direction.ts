// Which way the text in a box reads. With dir=auto the browser finds that for every paragraph by itself, in a time that
// grows with the square of the longest one: a megabyte on one line, pasted, holds the page for eight seconds. A long text
// reads as its first letter does, all of it.
import { directionOfText } from "./markdown/direction.ts";

const long = 20_000;

/** Answers what has to be told when the text was set by us; what a person types or pastes is seen before it is drawn. */
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
