// A patch that fits the sample workspace of the tests, in one line of src/cart.ts.

export const renamingTotal = [
  "*** Begin Patch",
  "*** Update File: src/cart.ts",
  "@@",
  "-export function total(lines: Line[]): number {",
  "+export function sum(lines: Line[]): number {",
  "*** End Patch",
  "",
].join("\n");
