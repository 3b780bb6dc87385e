// How many tokens a response may have: what the interface says under "Limits". Pure; what a person or a conversation has
// chosen is known elsewhere.

/** What holds where nothing is set. */
export const defaultOutputLimit = 131_072;
/** The most that can be asked for. */
export const maxOutputLimit = 1_048_576;

/** For a response that reached its limit. */
export const doubleOutputLimit = (limit = defaultOutputLimit): number => Math.min(2 * limit, maxOutputLimit);
