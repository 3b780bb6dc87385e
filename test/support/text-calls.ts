// Calls as a chat model writes them that has read the instructions of its conversation.
import { type Part, text } from "../sim/script.ts";
import { markIn } from "./foreign-extension.ts";

export interface Tags {
  readonly mark: string;
  call(name: string, input?: object): string;
  patch(lines: string): string;
}

export const tagsWith = (mark: string): Tags => ({
  mark,
  call: (name, input = {}) =>
    `<tool_call_${mark}>\n${JSON.stringify({ name, arguments: input })}\n</tool_call_${mark}>`,
  patch: (lines) => `<apply_patch_${mark}>\n${lines}\n</apply_patch_${mark}>`,
});

export const tagsIn = (body: object): Tags => tagsWith(markIn(body));

/** A step of the simulator: this text, with the tags of the request that it answers. */
export const says =
  (words: (tags: Tags) => string, ...more: readonly Part[]) =>
  ({ body }: { readonly body: object }): readonly Part[] => [text(words(tagsIn(body))), ...more];
