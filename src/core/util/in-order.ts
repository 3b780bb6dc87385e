// One after the other, what must not run side by side. A failure is its caller's alone: what comes after it goes on.

export type InOrder = <T>(work: () => Promise<T>) => Promise<T>;

export function inOrder(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work, work);
    last = done.catch(() => {});
    return done;
  };
}
