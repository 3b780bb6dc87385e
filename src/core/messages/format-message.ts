// Messages in words, in any language that brings its sentences.
import type { Code } from "./catalogue.ts";
import { type Argument, isList, type Message } from "./message.ts";

/** A language to say messages in. */
export interface Language {
  sentence(code: Code): string;
  number(value: number): string;
  duration(milliseconds: number): string;
  time(at: number): string;
}

export function formatMessage({ code, args = {} }: Message, language: Language): string {
  return fillHoles(language.sentence(code), (hole) => {
    const value = args[hole];
    return value === undefined ? undefined : formatArgument(value, language);
  });
}

/** Several, one behind the other. */
export const formatMessages = (messages: readonly Message[], language: Language): string =>
  messages.map((each) => formatMessage(each, language)).join(" ");

function formatArgument(value: Argument, language: Language): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return language.number(value);
  if (isList(value)) return value.map((each) => formatMessage(each, language)).join("; ");
  if ("milliseconds" in value) return language.duration(value.milliseconds);
  if ("at" in value) return language.time(value.at);
  return formatMessage(value, language);
}

export const fillHoles = (sentence: string, fillOf: (hole: string) => string | undefined): string =>
  sentence.replace(/\{(\w+)\}/g, (hole, name: string) => fillOf(name) ?? hole);
