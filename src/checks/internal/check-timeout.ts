// How long a check may run: what its row says, within a limit, or what is usual for its kind. run-command.ts ends it
// after that time.

const longestSeconds = 3600;
const usualSeconds = { static: 300, tests: 600 } as const;

/** Whether a row of the settings may say so. */
export const isTimeout = (seconds: unknown): seconds is number =>
  typeof seconds === "number" && Number.isInteger(seconds) && seconds > 0 && seconds <= longestSeconds;

/** In seconds. */
export const timeoutOf = (row: {
  readonly kind: keyof typeof usualSeconds;
  readonly timeoutSeconds?: number;
}): number => row.timeoutSeconds ?? usualSeconds[row.kind];
