/** From the longest to the shortest. */
export const units = [
  { letter: "d", name: "day", seconds: 86_400 },
  { letter: "h", name: "hour", seconds: 3_600 },
  { letter: "m", name: "minute", seconds: 60 },
  { letter: "s", name: "second", seconds: 1 },
];

/** @throws RangeError where no unit has this letter. */
export function unitOf(letter) {
  const unit = units.find((each) => each.letter === letter);
  if (unit === undefined) throw new RangeError(`There is no unit ${letter}.`);
  return unit;
}
