// What the tours through the panel are told in: what a person does there, whichever hand does it. The mouse and the keys
// each do it in their own way; what only one of them does stands in its own file.
import type { Locator } from "playwright-core";

export interface Hand {
  /** On the last button of that name. */
  press(name: string | RegExp): Promise<void>;
  /** The same below the box, where what goes along with a question is chosen. */
  pressBelow(name: string | RegExp): Promise<void>;
  /** On a button of the long block of code. */
  pressAtCode(name: string): Promise<void>;
  /** Answers what asks, once it can be answered. */
  decide(name: string): Promise<void>;
  /** Opens what is folded behind these words. */
  unfold(words: RegExp): Promise<void>;
  /** Follows a link, and thinks better of it when asked. */
  nearlyFollow(link: string, address: string): Promise<void>;
  /** Writes into the box, in the place of what stands there. */
  write(question: string): Promise<void>;
  send(): Promise<void>;
  /** Both. */
  ask(question: string): Promise<void>;
  /** While an answer is being written. */
  lineUp(question: string): Promise<void>;
  /** Attaches what the letters behind an @ find. */
  mention(letters: string, name: string | RegExp): Promise<void>;
  /** In the box in which a question is asked anew. */
  askInOtherWords(question: string): Promise<void>;
  stop(): Promise<void>;
  /** Into the editor that shows this file. */
  toTheEditor(path: string): Promise<void>;
  /** Back into the panel from a terminal, once that is there. */
  leaveTerminal(): Promise<void>;
  /** Until the conversation says it. */
  says(words: string): Promise<void>;
  /** Until an editor shows it. */
  reads(words: string): Promise<void>;
  /** Until the diff of all files shows it. */
  readsInDiff(words: string): Promise<void>;
}

/** An editor on this file of the workspace. */
export const editorOn = (path: string): string => `.monaco-editor[data-uri$="/workspace/${path}"]`;

/** Until one of several buttons has taken its turn: it says so itself. */
export const isPressed = (at: Locator, name: string): Promise<void> =>
  at.getByRole("button", { name, pressed: true }).waitFor();
