// What the core says of patches and the files they touch, in the language of this editor.
import * as vscode from "vscode";
import { patchInWords, patchWords } from "../core/conversation/patch-sentences.ts";

const words = patchWords((sentence) => vscode.l10n.t(sentence));

export const patchInReaderLanguage = (message: string): string => patchInWords(message, words);
