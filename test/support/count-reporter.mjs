// A node:test reporter that only counts: one JSON line at the end, for test/run.mjs to add up.
export default async function* count(events) {
  const total = { passed: 0, failed: 0 };
  for await (const { type, data } of events) {
    if (data?.details?.type === "suite") continue;
    if (type === "test:pass") total.passed += 1;
    if (type === "test:fail") total.failed += 1;
  }
  yield `${JSON.stringify(total)}\n`;
}
