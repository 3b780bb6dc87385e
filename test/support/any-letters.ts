// Texts of any letters that Unicode has room for. Those of fast-check itself, "binary", are a list of all million of
// them, which every process would write down first: half a second of its time.
import fc from "fast-check";

const [firstHalf, halves, last] = [0xd800, 0x800, 0x10ffff];
const letter = fc
  .integer({ min: 0, max: last - halves })
  .map((at) => String.fromCodePoint(at < firstHalf ? at : at + halves));

export const anyLetters = fc.string({ unit: letter });
