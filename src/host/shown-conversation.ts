// Which conversation a place shows: the switch to another one, the way back to the one before, and who follows what is
// shown.
import type { Session } from "../session/session.ts";
import type { Lease } from "../session/session-registry.ts";
import { createMutex } from "../util/concurrency.ts";
import { type Disposable, Disposables } from "../util/disposables.ts";
import { Emitter } from "../util/emitter.ts";

/** Something that shows one session at a time and may switch to another. */
export interface SessionSource {
  readonly session: Session;
  /** Calls the listener for the session that is shown, and again when another session replaces it or it is reread. */
  follow(listener: (session: Session) => Disposable): Disposable;
}

/**
 * A place that shows one conversation at a time. It holds a lease on a session and can switch to another one;
 * subscribers registered with `follow` are then subscribed again.
 */
export class ChatSurface implements SessionSource {
  readonly #oneMove = createMutex();
  readonly #switches = new Emitter<void>();
  #lease: Lease;
  /** The session shown before a question asked elsewhere in the editor brought its own conversation here. */
  #before: Session | undefined;
  /** Set while a switch to another conversation is in progress. */
  #arriving: Promise<void> | undefined;

  readonly onSwitch = this.#switches.on;

  constructor(lease: Lease) {
    this.#lease = lease;
  }

  get session(): Session {
    return this.#lease.session;
  }

  /** The session to go back to, until a second turn begins in the current one. */
  get before(): Session | undefined {
    return this.session.state.turns.length > 1 ? undefined : this.#before;
  }

  get isMoving(): boolean {
    return this.#arriving !== undefined;
  }

  /** Waits until no switch is in progress: a caller that has just asked for another conversation means that one. */
  async settled(): Promise<Session> {
    while (this.#arriving !== undefined) await this.#arriving;
    return this.session;
  }

  /**
   * Switches are queued. The next session is opened first, so if that fails, nothing changes. `aside`: the switch was
   * not requested here, so the current session is kept as `before`.
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

  /** Switches immediately, without settling the draft first. Resolves when the previous session is released. */
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

/** Subscribes to the shown session, and again whenever another session is shown or the current one is reread. */
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
