// The conversations that are alive in this window. A caller holds a session by a lease and releases it later; any
// number run in parallel. A session without leases runs to its end and is then closed. Sessions are opened and closed
// only here.
import type { Ending } from "../conversation/state.ts";
import { type Disposable, runAll } from "../util/disposables.ts";
import { Emitter, type Listener } from "../util/emitter.ts";
import type { ConversationStore } from "./conversation-store.ts";
import { WorkspaceAgents } from "./internal/custom-agents.ts";
import { type AgreedTexts, InstructionConsent } from "./internal/instruction-consent.ts";
import { type JournalKind, NewJournal } from "./internal/new-journal.ts";
import type { ConversationJournal } from "./internal/recorder.ts";
import { type DraftState, nothingUnsent, readDraftState } from "./internal/session-draft.ts";
import { Session } from "./session.ts";
import type { SessionContext } from "./session-context.ts";
import type { SideTurnContext } from "./side-turn.ts";

export interface SessionRegistryDeps extends Omit<SessionContext, "consent" | "agents"> {
  /** What a person has agreed to of what workspaces say to models. */
  readonly agreedTexts: AgreedTexts;
  readonly store: ConversationStore;
}

/** A session in use. It stays open at least until it is released. */
export interface Lease {
  readonly session: Session;
  /** If nobody else holds the session and nothing runs in it, resolves once it is closed. */
  release(): Promise<void>;
}

/** The state of a conversation as shown to somebody who does not have it open. */
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
  /** Set while it is being closed. */
  closing?: Promise<void>;
}

export class SessionRegistry {
  readonly #deps: SessionRegistryDeps;
  readonly #consent: InstructionConsent;
  readonly #agents: WorkspaceAgents;
  readonly #entries = new Map<string, Entry>();
  readonly #opening = new Map<string, Promise<Entry>>();
  readonly #followers = new Map<object, (session: Session) => void>();
  /** How sessions ended that ran without being held, until somebody opens them. */
  readonly #unseen = new Map<string, "finished" | "failed">();
  /** Closed conversations, from this window or an earlier one, with pending proposals. */
  #leftToReview = new Set<string>();
  readonly #changes = new Emitter<void>();
  readonly #activities = new Emitter<void>();
  readonly #removals = new Emitter<string>();
  /** All results of `activityOf` as last reported. */
  #reported = "";
  #isOver = false;

  /** Fires when a session was opened or closed, or its state has changed. */
  readonly onChange = this.#changes.on;
  /** Fires when the result of `activityOf` has changed for a conversation. */
  readonly onActivity = this.#activities.on;
  /** Fires when a conversation is being deleted; views that show it switch to another one. */
  readonly onRemove = this.#removals.on;

  constructor(deps: SessionRegistryDeps) {
    this.#deps = deps;
    this.#consent = new InstructionConsent(deps.agreedTexts);
    this.#agents = new WorkspaceAgents(deps);
    this.#changes.on(() => this.#tellActivity());
  }

  get sessions(): readonly Session[] {
    return [...this.#entries.values()].map(({ session }) => session);
  }

  /** What a list shows about a conversation, open here or not; `undefined`: nothing worth mentioning. */
  activityOf(id: string): Activity | undefined {
    const status = this.find(id)?.status;
    if (status === "running" || status === "needs-review") return status;
    const news = this.#unseen.get(id);
    return news !== "failed" && this.#isLeftToReview(id) ? "needs-review" : news;
  }

  /**
   * How many other conversations run, wait for a person, or have failed unseen. The changes of those `inReview` are
   * already reviewed beside those of the conversation in use, so they do not count as waiting.
   */
  others(besides: Session, inReview: readonly Session[] = []): OtherActivity {
    const ids = new Set([...this.#entries.keys(), ...this.#unseen.keys(), ...this.#leftToReview]);
    ids.delete(besides.id);
    const reviewed = new Set(inReview.map(({ id }) => id));
    const activities = [...ids].map((id) => {
      const activity = this.activityOf(id);
      return activity === "needs-review" && reviewed.has(id) ? undefined : activity;
    });
    const count = (activity: Activity) => activities.filter((each) => each === activity).length;
    return { running: count("running"), waiting: count("needs-review"), failed: count("failed") };
  }

  /** Sets the conversations, open or not, that have pending proposals according to the list on the disk. */
  noteLeftToReview(ids: Iterable<string>): void {
    this.#leftToReview = new Set(ids);
    this.#changes.fire();
  }

  find(id: string): Session | undefined {
    return this.#entries.get(id)?.session;
  }

  /** Calls the listener for each open session, and for each one that is opened later. */
  follow(listener: Listener<Session>): Disposable {
    const key = {};
    this.#followers.set(key, listener);
    for (const session of this.sessions) listener(session);
    return { dispose: () => void this.#followers.delete(key) };
  }

  /** Creates an empty conversation with this text in its box. */
  create(draft = ""): Lease {
    return this.#new("chat", { ...emptyDraft, text: draft });
  }

  /**
   * Creates a conversation for an editor action: it has its own history only, and is in no list until somebody
   * continues it.
   */
  task(): Lease {
    return this.#new("task", emptyDraft);
  }

  /** Creates a task that is not stored as long as it is one, and has only these built-in tools. */
  bareTask(tools: readonly string[] = []): Lease {
    return this.#new("bare", emptyDraft, tools);
  }

  async open(id: string): Promise<Lease> {
    this.#unseen.delete(id);
    return this.#lease(await this.#entry(id));
  }

  /** Opens the conversation that was used last, or an empty one if there is none. */
  async openLatest(): Promise<Lease> {
    try {
      const latest = await this.#deps.store.latest();
      return latest === undefined ? this.create() : await this.open(latest);
    } catch (error) {
      if (this.#isOver) throw error;
      // A conversation that cannot be read now must not prevent beginning a new one; it stays where it is.
      return this.create();
    }
  }

  /** Opens a copy of the conversation up to and including this turn. */
  async branch(session: Session, turn: string): Promise<Lease> {
    // The latest events may not be on the disk yet.
    await session.flush();
    return this.open(await this.#deps.store.branch(session.id, turn));
  }

  /** Stops what runs in the conversation and makes views switch to another one, so that its files can be deleted. */
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

  /** What turns outside of every conversation share with all of them. */
  get sideContext(): SideTurnContext {
    const { store, ...deps } = this.#deps;
    return { ...deps, consent: this.#consent, agents: this.#agents, turnsOf: store.turnsOf };
  }

  stopAll(): void {
    for (const { session } of this.#entries.values()) session.stop();
  }

  /** Stops what runs; resolves when everything that can be saved is. */
  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.allSettled(this.#opening.values());
    await runAll([...this.#entries.values()].map((entry) => () => this.#putAway(entry)));
  }

  /** Two simultaneous requests for one conversation get the same session. */
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
    // Wait until the previous session is completely on the disk.
    await before?.closing?.catch(() => undefined);
    const journal = await this.#deps.store.open(id);
    const box = await readDraftState(journal);
    if (!this.#isOver) return this.#held(this.#add(this.#session(journal, box)));
    await journal.close();
    throw new Error(`The conversation ${id} was asked for while the window was being closed.`);
  }

  /** Keeps the entry until the caller has taken a lease; without this it would count as unused. */
  #held(entry: Entry): Entry {
    entry.leases += 1;
    setImmediate(() => {
      entry.leases -= 1;
      void this.#putAwayUnused(entry);
    });
    return entry;
  }

  #new(kind: JournalKind, box: DraftState, onlyTools?: readonly string[]): Lease {
    const { store, newId } = this.#deps;
    const journal = new NewJournal(newId(), store.create, kind);
    return this.#lease(this.#add(this.#session(journal, box, onlyTools)));
  }

  #session(journal: ConversationJournal, box: DraftState, onlyTools?: readonly string[]): Session {
    const { store, ...deps } = this.#deps;
    return new Session(
      {
        ...deps,
        consent: this.#consent,
        agents: this.#agents,
        onlyTools,
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
        const news = endActivity[event.ending];
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

  /** A task that is left while it runs or has pending changes is moved to the list, so that it can be found again. */
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

  /** An open session takes precedence once it has looked at its proposals. */
  #isLeftToReview(id: string): boolean {
    const session = this.find(id);
    return this.#leftToReview.has(id) && (session === undefined || !hasLooked(session));
  }

  /** Remembers whether a closed conversation has pending proposals, so that the list can show it. */
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

/**
 * The activity shown for an ending that nobody has seen. Stopping needs none, since the person who stopped it knows.
 */
const endActivity: Readonly<Record<Ending, "finished" | "failed" | undefined>> = {
  done: "finished",
  incomplete: "finished",
  stopped: undefined,
  failed: "failed",
  interrupted: "failed",
};

const hasLooked = ({ patches }: Session): boolean => patches.changes.revision > 0;

const emptyDraft: DraftState = { ...nothingUnsent, saved: nothingUnsent };
