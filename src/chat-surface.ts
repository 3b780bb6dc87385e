// Where one conversation is shown at a time: the chat view, or an editor tab. It holds a session and goes over to another one
// when it is asked to; whoever watches what is shown here subscribes again then.
import type { Session } from "./core/session/session.ts";
import type { Lease } from "./core/session/session-registry.ts";
import { type Disposable, Disposables } from "./core/util/disposables.ts";
import { Emitter } from "./core/util/emitter.ts";
import { inOrder } from "./core/util/in-order.ts";

/** Something that shows a session, and another one later. */
export interface SessionSource {
  readonly session: Session;
  /** Calls back for the session that is shown, and again for each that takes its place or was read again. */
  follow(listener: (session: Session) => Disposable): Disposable;
}

export class ChatSurface implements SessionSource {
  readonly #oneMove = inOrder();
  readonly #switches = new Emitter<void>();
  #lease: Lease;
  /** What was here when a question that was asked elsewhere brought a conversation of its own. */
  #before: Session | undefined;
  /** Another conversation is on its way here. */
  #arriving: Promise<void> | undefined;

  readonly onSwitch = this.#switches.on;

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  get session(): Session {
    return this.#lease.session;
  }

  /** Where the way back leads, until a person has gone on here. */
  get before(): Session | undefined {
    return this.session.state.turns.length > 1 ? undefined : this.#before;
  }

  get isMoving(): boolean {
    return this.#arriving !== undefined;
  }

  /** Whoever has asked for another conversation means that one. */
  async settled(): Promise<Session> {
    while (this.#arriving !== undefined) await this.#arriving;
    return this.session;
  }

  /**
   * One after the other. What comes is opened first: where that fails, nothing has changed. `aside`: nobody here has asked
   * for it.
   */
  go(open: () => Lease | Promise<Lease>, aside = false): Promise<void> {
    const moved = this.#oneMove(async () => {
      const { session } = this;
      await session.draft.settle();
      const next = await open();
      await this.replace(next, aside && session.state.turns.length > 0 ? session : undefined);
    });
    const there = moved
      .catch(() => {})
      .then(() => {
        if (this.#arriving === there) this.#arriving = undefined;
      });
    this.#arriving = there;
    return moved;
  }

  /** At once, whatever stands in the box. Resolves when what was here before is put away. */
  replace(next: Lease, left?: Session): Promise<void> {
    const before = this.#lease;
    this.#lease = next;
    this.#before = left;
    if (next.session !== before.session) this.#switches.fire();
    return before.release();
  }

  follow(listener: (session: Session) => Disposable): Disposable {
    return followSession(this, this.onSwitch, listener);
  }

  release(): Promise<void> {
    return this.#lease.release();
  }
}

/** Subscribes to what is shown, and again whenever that is another session or one that was read again. */
export function followSession(
  source: { readonly session: Session },
  onSwitch: (listener: () => void) => Disposable,
  listener: (session: Session) => Disposable,
): Disposable {
  let current: Disposables | undefined;
  const begin = () => {
    current?.dispose();
    current = new Disposables();
    const { session } = source;
    current.add(session.onReread(begin));
    current.add(listener(session));
  };
  begin();
  const switching = onSwitch(begin);
  return {
    dispose() {
      switching.dispose();
      current?.dispose();
    },
  };
}
