// Updates a list of views: views that accept their new contents stay in the page, so that a selection inside them
// survives; the others are replaced.

export interface View<T> {
  readonly root: ChildNode;
  /** Shows `next`, or returns false if this view cannot. `open` means that it is the last item and may still grow. */
  update(next: T, open: boolean): boolean;
  /** Called when the view is no longer shown. */
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
