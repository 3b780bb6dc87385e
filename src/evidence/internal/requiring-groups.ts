// Changes that require each other, as one; others behind those that they require. Pure.

export interface RequiringUnit {
  readonly id: string;
  /** Units without which it cannot be there. */
  readonly requires: readonly string[];
}

interface UnitGroup {
  readonly ids: readonly string[];
  /** The groups that it requires, and what those require. */
  readonly needs: ReadonlySet<number>;
  /** The groups that require it, at least through others. */
  readonly neededBy: ReadonlySet<number>;
}

/** The groups in the order of the units, but each behind those that it requires. */
export function groupsOf(units: readonly RequiringUnit[]): readonly UnitGroup[] {
  const byId = new Map(units.map((unit) => [unit.id, unit]));
  const order = new Map(units.map(({ id }, at) => [id, at]));
  const inOrder = (ids: Iterable<string>) =>
    [...ids].sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  const all = new Map(units.map(({ id }) => [id, reachableFrom(id, byId)]));
  const places = new Map<string, number>();
  const members: string[][] = [];
  const place = (id: string): void => {
    if (places.has(id)) return;
    const reached = inOrder(all.get(id) ?? []);
    const isOwn = new Set(reached.filter((each) => all.get(each)?.has(id) === true));
    for (const each of reached) if (!isOwn.has(each)) place(each);
    for (const each of isOwn) places.set(each, members.length);
    members.push([...isOwn]);
  };
  for (const { id } of units) place(id);
  const needs = members.map((ids, own) => {
    const reached = ids.flatMap((id) => [...(all.get(id) ?? [])]);
    return new Set(reached.flatMap((id) => places.get(id) ?? []).filter((at) => at !== own));
  });
  return members.map((ids, own) => ({
    ids,
    needs: needs[own] ?? new Set(),
    neededBy: new Set(needs.flatMap((needed, at) => (needed.has(own) ? [at] : []))),
  }));
}

/** With the unit itself. */
function reachableFrom(id: string, byId: ReadonlyMap<string, RequiringUnit>): ReadonlySet<string> {
  const reached = new Set([id]);
  // The loop also visits what is added while it runs.
  for (const each of reached)
    for (const required of byId.get(each)?.requires ?? []) if (byId.has(required)) reached.add(required);
  return reached;
}
