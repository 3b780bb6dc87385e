// Everything that happens to one conversation goes through here, in order: onto the disk, into the transcript, out to
// whoever watches. What is weighty is durable before anybody hears of it; text is on disk within a moment (faults R15).

import type { ChangeStore } from "../changes/kept-changes.ts";
import type { ConversationEvent } from "../conversation/events.ts";
import { joinDeltas } from "../conversation/join-deltas.ts";
import type { ConversationRecord } from "../conversation/record.ts";
import type { Message } from "../messages/message.ts";
import { Transcript } from "../turn/transcript.ts";
import type { TurnOutput } from "../turn/turn-guarantees.ts";
import { Coalesce } from "../util/coalesce.ts";
import type { Disposable } from "../util/disposables.ts";
import type { Listener } from "../util/emitter.ts";
import type { Log } from "../util/log.ts";
import type { Unsent } from "./unsent.ts";

/** What a conversation needs of its storage. */
export interface ConversationJournal {
  readonly id: string;
  readonly records: readonly ConversationRecord[];
  /** What is sent back, where that is not among the records: it is read when something is to be sent. */
  replays?(): Promise<readonly ConversationRecord[]>;
  /** Where what it proposes is kept; absent: in memory. */
  readonly changes?: ChangeStore;
  append(record: ConversationRecord, options: { durable: boolean }): Promise<void>;
  /** Removes a turn and what followed it, from the disk as well. */
  cutFrom(turn: string): Promise<void>;
  readUnsent(): Promise<Unsent>;
  /** What is not among the changes stays as it is. */
  writeUnsent(changes: Partial<Unsent>): Promise<void>;
  close(): Promise<void>;
  /** Why nothing can be kept in it here: another window writes, or a newer version did. */
  readonly readOnly?: Message | undefined;
  /** What was lost and what is left, where it had to be mended to be opened. */
  readonly repaired?: readonly Message[];
  /** It was asked from the editor, and stands in no list. */
  readonly isTask?: boolean;
  /** From now on it is a conversation of the list. */
  goOn?(): Promise<void>;
  /** Why the latest of it is in memory only. */
  readonly unsaved?: Message | undefined;
  /** `unsaved` has changed. */
  onUnsaved?(listener: Listener<void>): Disposable;
  /** Another window writes it: what runs in it runs there. */
  readonly isElsewhere?: boolean;
  /** What came since it was opened, and what comes from now on. */
  onRemoteChange?(listener: Listener<RemoteChange>): Disposable;
}

/** What another window has said; `anew`: it is another conversation now, or can be written here. */
export type RemoteChange = readonly ConversationRecord[] | "anew";

export interface RecorderDeps {
  readonly journal: ConversationJournal;
  readonly log: Log;
  /** Hears what happens, once it is where it has to be. */
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
    this.transcript = new Transcript(deps.journal.id, deps.journal.records);
    this.#unsaved = new Coalesce({
      milliseconds: journalDelay,
      join: joinDeltas,
      deliver: (events) => {
        for (const event of events) void this.#save(event, false);
      },
    });
    if (deps.journal.replays === undefined) this.#repair();
  }

  /** From now on the transcript knows what is sent back, and nothing in it waits for an answer. */
  remember(): Promise<void> {
    this.#remembering ??= this.#remember().catch((error: unknown) => {
      this.#remembering = undefined;
      throw error;
    });
    return this.#remembering;
  }

  /** What no event tells of. It reaches the disk before whatever comes next. */
  async keep(record: ConversationRecord): Promise<void> {
    this.transcript.take(record);
    await this.#save(record, false);
  }

  /** It is on the disk. */
  hear(records: readonly ConversationRecord[]): void {
    for (const record of records) this.transcript.take(record);
    this.#remembering = undefined;
  }

  async take(output: TurnOutput): Promise<void> {
    // Nobody pressed Stop when a window goes.
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

  /** What is cut off is gone from the disk; where the disk does not let it go, a record says that it is gone. */
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

  /** From now on the end of a turn is not the user's doing. */
  closing(): void {
    this.#closing = true;
  }

  /** Resolves when everything said is saved. */
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

  /** A turn that runs in the journal but in no process was cut off with its window. */
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

  /** Appends in order. A disk that refuses never stops a conversation; it is said in the log, once per record. */
  #save(record: ConversationRecord, durable: boolean): Promise<void> {
    const { journal, log } = this.#deps;
    this.#saving = this.#saving
      .then(() => journal.append(record, { durable }))
      .catch((error: unknown) => log.error("The conversation could not be saved.", error));
    return this.#saving;
  }
}

/** On disk before anything follows from it: the question, the decision about files, what became of them, the end. */
function isWeighty(event: ConversationEvent): boolean {
  if (event.type === "patch") return event.status !== "arriving";
  return ["started", "ended", "cut", "excluded", "patch-state"].includes(event.type);
}
