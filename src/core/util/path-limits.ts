// How long a path may be, and how many folders deep, whoever names it: the model, a link, a diff, the workspace itself.
// Asked before a path is split, compared with rules or looked for on a disk.

const longest = 1024;
const deepest = 64;

/** The reason, as messages have it, why a path is looked at no further; nothing where it is one that people have. */
export function refusePathSize(path: string): "whyTooLong" | "whyTooDeep" | undefined {
  if (path.length > longest) return "whyTooLong";
  let depth = 1;
  for (let at = 0; at < path.length; at++) if ("/\\".includes(path.charAt(at))) depth++;
  return depth > deepest ? "whyTooDeep" : undefined;
}

/** A path in a sentence about it. */
export const shortPath = (path: string): string => (path.length <= longest ? path : `${path.slice(0, 100)}…`);
