// All strings of the page in English. The host sends translations in the user's language, keyed by the English sentence
// like VS Code's own language bundles. Does not use the DOM, so that tests can import it.
import { catalogue } from "../../conversation/english.ts";
import { composerSentences } from "./composer-sentences.ts";
import { transcriptSentences } from "./transcript-sentences.ts";

export const english = { ...catalogue, ...composerSentences, ...transcriptSentences } as const;

export type WordKey = keyof typeof english;
