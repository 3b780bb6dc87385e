// Everything that happens in one conversation passes through here in order: to the disk, into the transcript, and out
// to listeners. Important events are durable before anybody is told of them; text is on the disk within a moment
// (faults R15).
import type { ChangeStore } from "../../changes/change-store.ts";
import type { ConversationEvent, ConversationRecord, Replay } from "../../conversation/events.ts";
import type { Message } from "../../conversation/messages.ts";
import { joinDeltas } from "../../conversation/reduce.ts";
import type { Disposable } from "../../util/disposables.ts";
import { Coalesce, type Listener } from "../../util/emitter.ts";
import type { Log } from "../../util/log.ts";
import type { Unsent } from "./session-draft.ts";
import { Transcript } from "./transcript.ts";

export interface ConversationJournal {
  readonly id: string;
  readonly records: readonly ConversationRecord[];
  /** Reads the replay items if they are not among the records; called before something is sent. */
  replays?(): Promise<readonly ConversationRecord[]>;
  /** Where the change set is stored; absent: in memory. */
  readonly changes?: ChangeStore;
  append(record: ConversationRecord, options: { durable: boolean }): Promise<void>;
  /** Removes a turn and everything after it, from the disk as well. */
  cutFrom(turn: string): Promise<void>;
  readUnsent(): Promise<Unsent>;
  /** What is not part of `changes` stays as it is. */
  writeUnsent(changes: Partial<Unsent>): Promise<void>;
  /** What is kept of several tries at one question; empty: nothing. */
  readTrial?(): Promise<string>;
  writeTrial?(text: string): Promise<void>;
  /** Remarks about its proposals that were not sent yet; empty: none. */
  readRemarks?(): Promise<string>;
  writeRemarks?(text: string): Promise<void>;
  close(): Promise<void>;
  /** Why the journal cannot be written here: another window writes it, or a newer version wrote it. */
  readonly readOnly?: Message | undefined;
  /** What was lost and what remains, if it had to be repaired to be opened. */
  readonly repaired?: readonly Message[];
  /** Whether it was started by an editor action and is not in the list. */
  readonly isTask?: boolean;
  /** Makes it a conversation of the list. */
  goOn?(): Promise<void>;
  /** Why the latest records are only in memory. */
  readonly unsaved?: Message | undefined;
  /** Fires when `unsaved` changes. */
  onUnsaved?(listener: Listener<void>): Disposable;
  /** Fires while another window wants to write it. */
  onAskedFor?(listener: Listener<void>): Disposable;
  /** Lets that window write it. Rejects with a message if something is not on the disk. */
  handOver?(): Promise<void>;
  /** Asks the window that writes it to hand it over; present if that is another one. */
  takeOver?(): Promise<void>;
  /** Whether another window writes it, so that its turns run there. */
  readonly isElsewhere?: boolean;
  /** Reports changes made since it was opened, and future ones. */
  onRemoteChange?(listener: Listener<RemoteChange>): Disposable;
}

/** Records written by another window; `reread`: the conversation has to be reread, or can be written here now. */
export type RemoteChange = readonly ConversationRecord[] | "reread";

/** What a turn adds to its conversation. */
export type TurnOutput = ConversationEvent | Replay;

interface RecorderDeps {
  readonly journal: ConversationJournal;
  /** What was said before; absent: what the journal's records say. */
  readonly transcript?: Transcript;
  readonly log: Log;
  /** Receives each event once it is saved as required. */
  emit(event: ConversationEvent): void;
  now(): number;
}

const journalDelay = 250;

export class Recorder {
  readonly #deps: RecorderDeps;
  readonly #unsaved: Coalesce<ConversationEvent>;
  #closing = false;
  #remembering: Promise<void> | undefined;
  #saving: Promise<void> = Promise.resolve();

  readonly transcript: Transcript;

  constructor(deps: RecorderDeps) {
    this.#deps = deps;
    this.transcript = deps.transcript ?? new Transcript(deps.journal.id, deps.journal.records);
    this.#unsaved = new Coalesce({
      milliseconds: journalDelay,
      join: joinDeltas,
      deliver: (events) => {
        for (const event of events) void this.#save(event, false);
      },
    });
    if (deps.journal.replays === undefined) this.#repair();
  }

  /** Loads the replay items into the transcript, so that a request can be made. */
  remember(): Promise<void> {
    this.#remembering ??= this.#remember().catch((error: unknown) => {
      this.#remembering = undefined;
      throw error;
    });
    return this.#remembering;
  }

  /** Saves a record that is no event. It reaches the disk before whatever comes next. */
  async keep(record: ConversationRecord): Promise<void> {
    this.transcript.take(record);
    await this.#save(record, false);
  }

  /** Adds records that are already on the disk. */
  hear(records: readonly ConversationRecord[]): void {
    for (const record of records) this.transcript.take(record);
    this.#remembering = undefined;
  }

  async take(output: TurnOutput): Promise<void> {
    // If a window is closed, nobody has pressed Stop.
    if (this.#closing && output.type === "ended" && output.ending === "stopped") {
      return this.take({ ...output, ending: "interrupted" });
    }
    if (output.type !== "replay" && !isWeighty(output)) {
      this.#show(output);
      this.#unsaved.push(output);
      return;
    }
    this.#unsaved.flush();
    await this.#save(output, true);
    this.#show(output);
  }

  /** Removes turns from the disk. If the disk does not allow that, a `cut` record marks them as removed. */
  async cut(turn: string): Promise<void> {
    const { journal, log, now } = this.#deps;
    const cut = { type: "cut", turn, at: now() } as const;
    this.#unsaved.flush();
    await this.#saving;
    try {
      await journal.cutFrom(turn);
    } catch (error) {
      log.error("What was cut off a conversation could not be removed from the disk.", error);
      await this.#save(cut, true);
    }
    this.#show(cut);
  }

  /** From now on a turn that ends was not stopped by the user. */
  closing(): void {
    this.#closing = true;
  }

  /** Resolves when everything is saved. */
  async flush(): Promise<void> {
    this.#unsaved.flush();
    await this.#saving;
  }

  async #remember(): Promise<void> {
    const { replays } = this.#deps.journal;
    if (replays === undefined) return;
    this.transcript.remember(await replays());
    this.#repair();
  }

  /** A turn that is open in the journal but runs in no process was cut off with its window. Ends it. */
  #repair(): void {
    if (this.#deps.journal.isElsewhere === true) return;
    for (const record of this.transcript.repairs(this.#deps.now())) void this.keep(record);
  }

  #show(output: TurnOutput): void {
    this.transcript.take(output);
    if (output.type === "replay") return;
    try {
      this.#deps.emit(output);
    } catch (error) {
      this.#deps.log.error("Somebody who watches a conversation failed.", error);
    }
  }

  /** Appends in order. A failing disk never stops a conversation; the failure is logged, once per record. */
  #save(record: ConversationRecord, durable: boolean): Promise<void> {
    const { journal, log } = this.#deps;
    this.#saving = this.#saving
      .then(() => journal.append(record, { durable }))
      .catch((error: unknown) => log.error("The conversation could not be saved.", error));
    return this.#saving;
  }
}

/**
 * Events that must be on the disk before anything follows from them: questions, decisions about files, what became of
 * them, ends of turns.
 */
function isWeighty(event: ConversationEvent): boolean {
  if (event.type === "patch") return event.status !== "arriving";
  if (event.type === "tool") return event.question !== undefined;
  return ["started", "steered", "ended", "cut", "excluded", "patch-state", "plan"].includes(event.type);
}
