// A whole patch, read without a pause.
import { type Parsed, parsing } from "../../src/patch/parse.ts";
import { runSync } from "../../src/util/concurrency.ts";

export const parsePatch = (text: string): Parsed => runSync(parsing(text));
