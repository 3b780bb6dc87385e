// Lets whatever waits for this thread go first. Between the steps of something long, so that none of them is felt.

export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
