// A clock for one span, such as a turn: it starts with the machine's time and then runs independently, so that changing
// the machine's clock does not produce durations of hours. Not for dates: it stops while the machine sleeps.

export function monotonicClock(wall: () => number = Date.now): () => number {
  const start = wall();
  const began = performance.now();
  return () => start + Math.floor(performance.now() - began);
}

/** Returns the time within a span. Each span has its own clock, which is kept for when the span is continued. */
export function monotonicClocks(wall?: () => number): (span: string) => number {
  const clocks = new Map<string, () => number>();
  return (span) => {
    const clock = clocks.get(span) ?? monotonicClock(wall);
    clocks.set(span, clock);
    return clock();
  };
}
