// The part of a host that can do nothing yet: no page asks for any of it while it is not among the abilities.
import type { PageSubject } from "./page-subject.ts";

type Unable = Pick<
  PageSubject,
  | "onPutBack"
  | "onAct"
  | "use"
  | "isInUse"
  | "leave"
  | "unqueue"
  | "sendQueued"
  | "attach"
  | "attachUris"
  | "pick"
  | "detach"
  | "complete"
  | "costOfGoingBack"
  | "setWebSearch"
  | "setCacheTier"
  | "run"
  | "rename"
  | "editTurn"
  | "decide"
  | "actOnCall"
  | "openFile"
  | "copy"
  | "useCode"
  | "setFocus"
  | "openLink"
>;

const nothing = () => {};

export const unable: Unable = {
  onPutBack: () => ({ dispose: nothing }),
  onAct: () => ({ dispose: nothing }),
  use: nothing,
  isInUse: () => true,
  leave: nothing,
  unqueue: nothing,
  sendQueued: nothing,
  attach: nothing,
  attachUris: nothing,
  pick: nothing,
  detach: nothing,
  complete: async () => [],
  costOfGoingBack: () => ({ edit: 0, branch: 0 }),
  setWebSearch: nothing,
  setCacheTier: nothing,
  run: nothing,
  rename: nothing,
  editTurn: nothing,
  decide: nothing,
  actOnCall: nothing,
  openFile: nothing,
  copy: nothing,
  useCode: nothing,
  setFocus: nothing,
  openLink: nothing,
};
