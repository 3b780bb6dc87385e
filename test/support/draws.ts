/** How many times as many random cases are drawn as usual: `npm run draws`. Properties of fast-check are drawn so by themselves. */
export const draws = Number(process.env["PATCHBAY_DRAWS"] ?? 1);
