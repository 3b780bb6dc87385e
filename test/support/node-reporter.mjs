// A node:test reporter for people and for test/run.mjs: a dot per test, every failure in full, and at the end the counts
// in the file that PATCHBAY_COUNTS names.
import { writeFileSync } from "node:fs";

export default async function* report(events) {
  const total = { passed: 0, failed: 0 };
  let column = 0;
  for await (const { type, data } of events) {
    // What is thrown after its test has ended fails no test, and the run: this is the only word about it.
    if (type === "test:diagnostic" && data.message.startsWith("Error: ")) yield `\n✖ ${data.message}\n`;
    if ((type !== "test:pass" && type !== "test:fail") || data.details?.type === "suite") continue;
    if (type === "test:pass") {
      total.passed += 1;
      column += 1;
      yield column % 100 === 0 ? ".\n" : ".";
    } else {
      total.failed += 1;
      column = 0;
      if (data.details?.error?.failureType !== "subtestsFailed") yield failure(data);
    }
  }
  writeFileSync(process.env.PATCHBAY_COUNTS, JSON.stringify(total));
  yield "\n";
}

function failure({ name, file, details }) {
  const cause = details?.error?.cause ?? details?.error;
  const text = String(cause?.stack ?? cause).replace(/^/gm, "  ");
  return `\n✖ ${name}\n  ${file ?? ""}\n${text}\n`;
}
