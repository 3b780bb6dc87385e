// A whole patch, read without a pause.
import { type Parsed, parsing } from "../../src/core/patch/parse.ts";
import { atOnce } from "../../src/core/util/yield-to-event-loop.ts";

export const parsePatch = (text: string): Parsed => atOnce(parsing(text));
