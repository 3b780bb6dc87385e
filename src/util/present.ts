// Removes keys whose value is undefined, so that "not reported" has one representation instead of two.

type Present<T> = {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

export function present<T extends object>(value: T): Present<T> {
  const held: Record<string, unknown> = {};
  for (const key in value) {
    if (value[key] !== undefined) held[key] = value[key];
  }
  return held as Present<T>;
}
