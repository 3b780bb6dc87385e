// Which keys send what stands in a box: the one that the user has chosen, in every box of the page.
import type { Preferences } from "../bridge/view-state.ts";

type Key = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

export function sends({ key, ctrlKey, metaKey, shiftKey, altKey }: Key, by: Preferences["sendKey"]): boolean {
  if (key !== "Enter" || shiftKey || altKey) return false;
  return ctrlKey || metaKey || by === "enter";
}
