// The time within one span, such as a turn: it begins with what the machine's clock says and goes on by itself, so that
// a clock that is set meanwhile makes no duration of hours. Not for dates: it stands still while the machine sleeps.

export function monotonicClock(wall: () => number = Date.now): () => number {
  const start = wall();
  const began = performance.now();
  return () => start + Math.floor(performance.now() - began);
}

/** One for each span: who comes back to a span finds its clock where it would be. */
export function monotonicClocks(wall?: () => number): (span: string) => number {
  const clocks = new Map<string, () => number>();
  return (span) => {
    const clock = clocks.get(span) ?? monotonicClock(wall);
    clocks.set(span, clock);
    return clock();
  };
}
