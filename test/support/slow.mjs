// What takes more of the processor than all the rest, windows of VS Code above all, has `.slow.` in the name of its file.
// `npm test` leaves it out, so that it is run often; .ci/run sets PATCHBAY_ALL, so that no change lands without it.

/** Whoever asks for more than the short run asks for all files. */
export const withSlow = () =>
  ["PATCHBAY_ALL", "PATCHBAY_LONG"].some((name) => process.env[name] !== undefined);

const isSlow = (name) => name.includes(".slow.");

/**
 * Of these files, the ones that this run is to have.
 * @param {readonly string[]} names
 */
export const askedFor = (names) => names.filter((name) => withSlow() || !isSlow(name));

/**
 * How many of them it leaves out.
 * @param {readonly string[]} names
 */
export const leftOut = (names) => names.length - askedFor(names).length;
