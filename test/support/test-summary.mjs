// What is printed about a run when it is over: how many passed and failed, and what failed, once more.

export const noTests = { passed: 0, failed: 0 };

export const addCounts = (one = noTests, other = noTests) => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
});

export const formatCounts = ({ passed, failed }) => `${passed} passed, ${failed} failed`;

/** Without what passed: whoever sees only the end of a long run has to find it there. */
export function whatFailed(output) {
  const ofNode = output.match(/^✖ .*(?:\n {2}.*)*/gm) ?? [];
  const ofMocha = /^ +\d+ failing$[\s\S]*/m.exec(output) ?? [];
  const found = [...ofNode, ...ofMocha];
  return found.length > 0 ? found.join("\n") : output.trim().split("\n").slice(-20).join("\n");
}
