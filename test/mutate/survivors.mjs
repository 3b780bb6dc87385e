// The faults that README.md lists as survivors of a draw, to be planted again in the current sources.
import { readFileSync } from "node:fs";

/** An entry is a place below src, the line as it was, and the line with the fault; `´` stands for a backquote. */
const entry = /^- `([\w-]+)\/([\w./-]+):(\d+)` `(.+)` → `(.+)`$/gm;

/** Each as a fault in the line that reads so today: of several such lines, the one that is nearest to where it was. */
export function survivors() {
  return [...readFileSync("test/mutate/README.md", "utf8").matchAll(entry)].map(
    ([, room, name, was, before, after]) => {
      const file = `src/${room}/${name}`;
      const source = readFileSync(file, "utf8");
      const lines = source.split("\n");
      const old = before.replaceAll("´", "`");
      const [at] = lines
        .flatMap((line, index) => (line.trim() === old ? [index] : []))
        .toSorted((a, b) => Math.abs(a - Number(was)) - Math.abs(b - Number(was)));
      if (at === undefined) throw new Error(`No line of ${file} reads: ${old}`);
      const indent = /^\s*/.exec(lines[at])[0];
      const text = lines.with(at, `${indent}${after.replaceAll("´", "`")}`).join("\n");
      return { room, file, source, line: at + 1, text, what: "survivor" };
    },
  );
}
