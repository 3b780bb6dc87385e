// How much can be attached, the same wherever it comes from: what the page takes the host does not refuse.

export const maxPictureBytes = 20_000_000;
/** Dropped or pasted at once. */
export const maxDropped = 20;
