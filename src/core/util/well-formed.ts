/// <reference lib="es2024.string" />
// A lone half of a surrogate pair is not a character: UTF-8 cannot carry it. It becomes U+FFFD.

export const wellFormed = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed());
