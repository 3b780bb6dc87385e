// What a person says or puts next to it, as it goes into a history: words, or a picture.

export type Content =
  | { readonly kind: "text"; readonly text: string }
  /** `url` is a base64 data URL, or an address that a person typed. */
  | { readonly kind: "image"; readonly url: string };
