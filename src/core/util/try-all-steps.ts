// What has to be tried to the end: each step in its turn, whatever became of those before it.

/** Rejects with the first problem, once all have been tried. */
export async function tryAllSteps(steps: Iterable<() => unknown>): Promise<void> {
  const problems: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      problems.push(error);
    }
  }
  if (problems.length > 0) throw problems[0];
}
