// Turns what is shown into what shall be shown: views that can take their new contents keep their place in the page, so
// that a selection inside them survives; the others are replaced.

export interface View<T> {
  readonly root: ChildNode;
  /** Shows `next`; false if this view cannot. `open`: it is the last thing there is, and more may come. */
  update(next: T, open: boolean): boolean;
  /** It is not shown any more. */
  dispose?(): void;
}

export interface Room<T> {
  readonly views: View<T>[];
  create(item: T, open: boolean): View<T>;
  append(root: ChildNode): void;
}

export function reconcile<T>(room: Room<T>, items: readonly T[], open: boolean): void {
  const { views } = room;
  for (const [index, item] of items.entries()) {
    const isOpen = open && index === items.length - 1;
    const view = views[index];
    if (view?.update(item, isOpen) === true) continue;
    const fresh = room.create(item, isOpen);
    if (view === undefined) room.append(fresh.root);
    else {
      view.root.replaceWith(fresh.root);
      view.dispose?.();
    }
    views[index] = fresh;
  }
  for (const view of views.splice(items.length)) {
    view.root.remove();
    view.dispose?.();
  }
}
