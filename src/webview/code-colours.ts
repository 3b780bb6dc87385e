// Lends the style sheet what the user's theme says about code (styles/markdown.css).
import { CodeColour, type CodeColours } from "../bridge/code-colours.ts";

export function showCodeColours({ style }: HTMLElement, colours: CodeColours): void {
  for (const name of CodeColour.options) {
    const property = `--patchbay-theme-${name}`;
    const colour = colours[name] ?? "";
    // Written again it would cost the style of everything below.
    if (style.getPropertyValue(property) !== colour) style.setProperty(property, colour);
  }
}
