// Which conversations are alive in this window. Whoever looks at one holds it and releases it later; any number run side by
// side. One that nobody holds runs on to its end and is put away then, whole. Nothing else opens or closes a session.
import type { Ending } from "../conversation/events.ts";
import type { Disposable } from "../util/disposables.ts";
import { Emitter, type Listener } from "../util/emitter.ts";
import { tryAllSteps } from "../util/try-all-steps.ts";
import type { ConversationStore } from "./conversation-store.ts";
import { type JournalKind, NewJournal } from "./new-journal.ts";
import type { ConversationJournal } from "./recorder.ts";
import { readBox, Session } from "./session.ts";
import type { SessionContext } from "./session-context.ts";
import { type Box, nothingUnsent } from "./unsent.ts";

export interface SessionRegistryDeps extends SessionContext {
  readonly store: ConversationStore;
}

/** A session that is in use. It stays open at least until it is released. */
export interface Lease {
  readonly session: Session;
  /** Resolves once the session is put away, where nobody else needs it and nothing runs in it. */
  release(): Promise<void>;
}

/** Of a conversation that nobody looks at. */
export type Activity = "running" | "needs-review" | "failed" | "finished";

export interface OtherActivity {
  readonly running: number;
  readonly waiting: number;
  readonly failed: number;
}

interface Entry {
  readonly session: Session;
  leases: number;
  /** It is being deleted. */
  isGoing?: true;
  /** It is on its way to where it is kept. */
  closing?: Promise<void>;
}

export class SessionRegistry {
  readonly #deps: SessionRegistryDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #opening = new Map<string, Promise<Entry>>();
  readonly #followers = new Map<object, (session: Session) => void>();
  /** How what ran while nobody held it has ended, until somebody opens it. */
  readonly #unseen = new Map<string, "finished" | "failed">();
  /** Put away, in this window or an earlier one, with proposals that nobody has decided. */
  #leftToReview = new Set<string>();
  readonly #changes = new Emitter<void>();
  readonly #activities = new Emitter<void>();
  readonly #removals = new Emitter<string>();
  /** What `activityOf` says of all that it says something of, as it was told last. */
  #reported = "";
  #isOver = false;

  /** A session came, went, or is in another state than before. */
  readonly onChange = this.#changes.on;
  /** `activityOf` says something else of a conversation. */
  readonly onActivity = this.#activities.on;
  /** This conversation is being deleted: whoever shows it shows another one. */
  readonly onRemove = this.#removals.on;

  constructor(deps: SessionRegistryDeps) {
    this.#deps = deps;
    this.#changes.on(() => this.#tellActivity());
  }

  get sessions(): readonly Session[] {
    return [...this.#entries.values()].map(({ session }) => session);
  }

  /** What a list says of a conversation, open here or not; `undefined`: nothing worth a word. */
  activityOf(id: string): Activity | undefined {
    const status = this.find(id)?.status;
    if (status === "running" || status === "needs-review") return status;
    const news = this.#unseen.get(id);
    return news !== "failed" && this.#isLeftToReview(id) ? "needs-review" : news;
  }

  /** What goes on besides this one: how many run, wait for a person, or have failed unseen. */
  others(besides: Session): OtherActivity {
    const ids = new Set([...this.#entries.keys(), ...this.#unseen.keys(), ...this.#leftToReview]);
    ids.delete(besides.id);
    const activities = [...ids].map((id) => this.activityOf(id));
    const count = (activity: Activity) => activities.filter((each) => each === activity).length;
    return { running: count("running"), waiting: count("needs-review"), failed: count("failed") };
  }

  /** What the list on the disk says: these conversations, open or not, hold proposals that nobody has decided. */
  noteLeftToReview(ids: Iterable<string>): void {
    this.#leftToReview = new Set(ids);
    this.#changes.fire();
  }

  find(id: string): Session | undefined {
    return this.#entries.get(id)?.session;
  }

  /** Calls back for each session that is open, and for each one from now on as soon as it is. */
  follow(listener: Listener<Session>): Disposable {
    const key = {};
    this.#followers.set(key, listener);
    for (const session of this.sessions) listener(session);
    return { dispose: () => void this.#followers.delete(key) };
  }

  /** An empty one, with these words in its box. */
  create(draft = ""): Lease {
    return this.#new("chat", { ...emptyBox, text: draft });
  }

  /** For what an action of the editor asks: no history but its own, in no list until somebody goes on with it. */
  task(kind: Exclude<JournalKind, "chat"> = "task"): Lease {
    return this.#new(kind, emptyBox);
  }

  async open(id: string): Promise<Lease> {
    this.#unseen.delete(id);
    return this.#lease(await this.#entry(id));
  }

  /** The one that was used last; an empty one where there is none. */
  async openLatest(): Promise<Lease> {
    try {
      const latest = await this.#deps.store.latest();
      return latest === undefined ? this.create() : await this.open(latest);
    } catch (error) {
      if (this.#isOver) throw error;
      // What cannot be read now is no reason not to begin: it stays where it is, for a better moment.
      return this.create();
    }
  }

  /** Another conversation that is the same through this turn. */
  async branch(session: Session, turn: string): Promise<Lease> {
    // What was said last may not be on the disk yet.
    await session.flush();
    return this.open(await this.#deps.store.branch(session.id, turn));
  }

  /** Whatever runs in it is stopped, and whoever shows it shows another one: its files can go. */
  async remove(id: string): Promise<void> {
    this.#unseen.delete(id);
    this.#leftToReview.delete(id);
    const entry = this.#entries.get(id);
    if (entry === undefined) return this.#changes.fire();
    entry.isGoing = true;
    entry.session.stop();
    this.#removals.fire(id);
    await this.#putAway(entry);
  }

  stopAll(): void {
    for (const { session } of this.#entries.values()) session.stop();
  }

  /** Ends what runs; resolves when everything that can be saved is. */
  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#opening.values());
    await tryAllSteps([...this.#entries.values()].map((entry) => () => this.#putAway(entry)));
  }

  /** Two that ask for one conversation at a time get one session. */
  async #entry(id: string): Promise<Entry> {
    const known = this.#entries.get(id);
    if (known !== undefined && known.closing === undefined) return known;
    const opening =
      this.#opening.get(id) ??
      this.#open(id, known).finally(() => {
        this.#opening.delete(id);
      });
    this.#opening.set(id, opening);
    return opening;
  }

  async #open(id: string, before: Entry | undefined): Promise<Entry> {
    // What is being put away lies whole on the disk first.
    await before?.closing?.catch(() => undefined);
    const journal = await this.#deps.store.open(id);
    const box = await readBox(journal);
    if (!this.#isOver) return this.#held(this.#add(this.#session(journal, box)));
    await journal.close();
    throw new Error(`The conversation ${id} was asked for while the window was being closed.`);
  }

  /** Whoever asked for it is about to take a lease: until then it is not unused. */
  #held(entry: Entry): Entry {
    entry.leases += 1;
    setImmediate(() => {
      entry.leases -= 1;
      void this.#putAwayUnused(entry);
    });
    return entry;
  }

  #new(kind: JournalKind, box: Box): Lease {
    const { store, newId } = this.#deps;
    const journal = new NewJournal(newId(), store.create, kind);
    return this.#lease(this.#add(this.#session(journal, box, kind === "bare")));
  }

  #session(journal: ConversationJournal, box: Box, isBare = false): Session {
    const { store, ...deps } = this.#deps;
    return new Session(
      {
        ...deps,
        isBare,
        turnsOf: store.turnsOf,
        reopen: () => store.open(journal.id),
      },
      journal,
      box,
    );
  }

  #add(session: Session): Entry {
    const entry: Entry = { session, leases: 0 };
    this.#entries.set(session.id, entry);
    let status = session.status;
    const look = () => {
      if (session.status !== status) this.#changes.fire();
      status = session.status;
      void this.#putAwayUnused(entry);
    };
    session.onChange(look);
    session.onEvent((event) => {
      if (event.type === "ended" && entry.leases === 0 && !session.isTask && !entry.isGoing) {
        const news = newsOf[event.ending];
        if (news === undefined) this.#unseen.delete(session.id);
        else this.#unseen.set(session.id, news);
      }
      if (event.type !== "text" && event.type !== "reasoning") look();
    });
    for (const follower of this.#followers.values()) follower(session);
    this.#changes.fire();
    return entry;
  }

  #lease(entry: Entry): Lease {
    entry.leases += 1;
    let isHeld = true;
    return {
      session: entry.session,
      release: () => {
        if (!isHeld) return Promise.resolve();
        isHeld = false;
        entry.leases -= 1;
        return this.#leave(entry);
      },
    };
  }

  /** A task that is left while it runs, or something of it waits, has to be found again. */
  async #leave(entry: Entry): Promise<void> {
    const { session, leases, isGoing = this.#isOver } = entry;
    const isDone = !session.isRunning && session.waiting === undefined;
    if (leases === 0 && !isDone && !isGoing)
      await session
        .continueInChat()
        .catch((error: unknown) => this.#deps.log.error("A task could not be put into the list.", error));
    return this.#putAwayUnused(entry);
  }

  #tellActivity(): void {
    const ids = new Set([...this.#entries.keys(), ...this.#unseen.keys(), ...this.#leftToReview]);
    const all = [...ids].sort().map((id) => [id, this.activityOf(id)] as const);
    const now = JSON.stringify(all.filter(([, activity]) => activity !== undefined));
    if (now === this.#reported) return;
    this.#reported = now;
    this.#activities.fire();
  }

  async #putAwayUnused(entry: Entry): Promise<void> {
    if (entry.leases > 0 || entry.session.isRunning || this.#entries.get(entry.session.id) !== entry) return;
    try {
      await this.#putAway(entry);
    } catch (error) {
      this.#deps.log.error("A conversation could not be put away.", error);
    }
  }

  /** An open session knows best, once its proposals were looked at. */
  #isLeftToReview(id: string): boolean {
    const session = this.find(id);
    return this.#leftToReview.has(id) && (session === undefined || !hasLooked(session));
  }

  /** What it proposes waits on where nobody holds it, and is looked for in the list. */
  #noteWaiting({ session, isGoing }: Entry): void {
    if (!hasLooked(session)) return;
    const waits = session.waiting !== undefined && !session.isTask && isGoing === undefined;
    if (waits) this.#leftToReview.add(session.id);
    else this.#leftToReview.delete(session.id);
  }

  #putAway(entry: Entry): Promise<void> {
    entry.closing ??= entry.session.close().finally(() => {
      this.#noteWaiting(entry);
      if (this.#entries.get(entry.session.id) === entry) this.#entries.delete(entry.session.id);
      this.#changes.fire();
    });
    return entry.closing;
  }
}

/** What nobody has seen the end of; who stops something knows that it has ended. */
const newsOf: Readonly<Record<Ending, "finished" | "failed" | undefined>> = {
  done: "finished",
  incomplete: "finished",
  stopped: undefined,
  failed: "failed",
  interrupted: "failed",
};

const hasLooked = ({ patches }: Session): boolean => patches.changes.revision > 0;

const emptyBox: Box = { ...nothingUnsent, saved: nothingUnsent };
