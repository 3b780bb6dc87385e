// Whether something grows that must not, in a series of looks at a long day: its middle third against its last one, by the
// middle value of each. What fills up once – code, caches with a limit – has done so by then.

/** One sentence for each figure whose last third lies by more than its `room` above the middle one. Few looks say nothing. */
export function growing<Figure extends string>(
  series: readonly { readonly [figure in Figure]?: number | undefined }[],
  room: Readonly<Record<Figure, number>>,
): string[] {
  const { middle, last } = thirdsOf(series);
  if (last.length === 0) return [];
  const found: string[] = [];
  for (const [figure, more] of Object.entries(room) as [Figure, number][]) {
    const [before, after] = [middle, last].map((part) =>
      middleValue(part.map((each) => each[figure] ?? 0)),
    ) as [number, number];
    if (after > before + more) found.push(`${figure} grows from ${before} to ${after}`);
  }
  return found;
}

export function thirdsOf<Look>(series: readonly Look[]): {
  readonly middle: readonly Look[];
  readonly last: readonly Look[];
} {
  const third = Math.floor(series.length / 3);
  return {
    middle: series.slice(series.length - 2 * third, series.length - third),
    last: series.slice(series.length - third),
  };
}

/** Of two the lower one: what is there at one look and gone at the next, such as a timer that is about to end, has not grown. */
const middleValue = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0;
