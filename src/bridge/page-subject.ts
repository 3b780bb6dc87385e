// What stands behind an open page: what it shows and everything it can ask for. Whoever implements it is the host;
// the bridge has checked the form of what arrives, not whether it is wise.
import type { Attachment } from "../core/conversation/attachment.ts";
import type { Decision } from "../core/conversation/decision.ts";
import type { ConversationEvent } from "../core/conversation/events.ts";
import type { ProblemAction } from "../core/conversation/problem.ts";
import type { Conversation } from "../core/conversation/state.ts";
import type { PricedGoingBack } from "../core/tokens/going-back.ts";
import type { Disposable } from "../core/util/disposables.ts";
import type {
  CallAction,
  CodeUse,
  Completion,
  PageAct,
  PageCommand,
  PageFocus,
  TurnAction,
} from "./protocol.ts";
import type { AttachKind, CacheTier, Surroundings } from "./surroundings.ts";

/** What a page shows and what can be done in it. */
export interface PageSubject {
  readonly conversation: Conversation;
  readonly draft: string;
  readonly surroundings: Surroundings;
  onEvent(listener: (event: ConversationEvent) => void): Disposable;
  /** Another conversation: the page starts over from a snapshot. */
  onReset(listener: () => void): Disposable;
  onSurroundings(listener: () => void): Disposable;
  onPutBack(listener: (words: string) => void): Disposable;
  onAct(listener: (act: PageAct) => void): Disposable;
  /** A person is in this page now: what a command does to what is shown is about it, and about no other one. */
  use(page: object): void;
  isInUse(page: object): boolean;
  /** It is gone. */
  leave(page: object): void;
  send(prompt: string, command?: string): void;
  unqueue(id: string): void;
  sendQueued(): void;
  attach(attachment: Attachment): void;
  /** Dropped into the page: files of the editor, of another window, of anywhere. Whoever reads them looks first. */
  attachUris(uris: readonly string[]): void;
  pick(kind: AttachKind): void;
  detach(id: string): void;
  complete(query: string): Promise<readonly Completion[]>;
  costOfGoingBack(turn: string): PricedGoingBack;
  setWebSearch(on: boolean): void;
  setCacheTier(tier: CacheTier): void;
  run(command: PageCommand): void;
  /** Never with nothing. */
  rename(title: string): void;
  stop(): void;
  setDraft(text: string): void;
  chooseModel(model: string): void;
  act(action: ProblemAction): void;
  actOnTurn(turn: string, action: TurnAction): void;
  editTurn(turn: string, prompt: string): void;
  decide(call: string, decision: Decision): void;
  actOnCall(call: string, action: CallAction): void;
  /** Opens a file of the workspace, never another one: the path may come from the model. */
  openFile(path: string, line: number | undefined): void;
  copy(text: string): void;
  /** Code of an answer, as it is shown. Nothing is ever run. */
  useCode(use: CodeUse, code: string, language: string): void;
  /** The focus has moved inside the page. */
  setFocus(focus: PageFocus): void;
  /** The page has not looked at the address; whoever opens it does. */
  openLink(url: string): void;
}
