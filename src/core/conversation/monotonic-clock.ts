// The time within one span, such as a turn: it begins with what the machine's clock says and goes on by itself, so that
// a clock that is set meanwhile makes no duration of hours. Not for dates: it stands still while the machine sleeps.

export function monotonicClock(wall: () => number = Date.now): () => number {
  const start = wall();
  const began = performance.now();
  return () => start + Math.floor(performance.now() - began);
}
