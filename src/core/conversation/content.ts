// What a person says or puts next to it, as it goes into a history: words, or a picture.

declare const clean: unique symbol;

/**
 * Text that may be told to a model: secrets are taken out of it (core/files/secrets.ts), or it is verbatim. The type
 * keeps everything else out of what is sent: a plain string does not fit.
 */
export type CleanText = string & { readonly [clean]: true };

/** For what a person typed, what the model said and gets back, and our own sentences. Never for text of a file. */
export const verbatim = (words: string): CleanText => words as CleanText;

/** `url` is a base64 data URL, or an address that a person typed. */
type Picture = { readonly kind: "image"; readonly url: string };

/** What can be counted here. */
export type Content = { readonly kind: "text"; readonly text: string } | Picture;

/** What can be sent. */
export type CleanContent = { readonly kind: "text"; readonly text: CleanText } | Picture;
