// A node:test reporter that ends the process at the first test that fails and prints its name: one is enough to notice a
// fault. For each that passes it prints a line end, by which it is seen that the process goes on.
import { writeSync } from "node:fs";

export default async function* report(events) {
  for await (const { type, data } of events) {
    if (type === "test:fail" && data.details?.error?.failureType !== "subtestsFailed") {
      writeSync(1, `${data.name}\n`);
      process.exit(1);
    }
    yield type === "test:pass" ? "\n" : "";
  }
}
