// What lies on the table: the patches of the open conversation, what was chosen in them so far, and where their hunks
// stand in documents as they are now. Everything that shows a review asks here; the answer to a patch leaves from here.
import * as vscode from "vscode";
import type { PatchFile } from "../../core/conversation/tool-use.ts";
import type { FileChange } from "../../core/patch/model.ts";
import type { Session, SessionPatches } from "../../core/session/session.ts";
import { pathOf } from "../../core/tools/locate.ts";
import { hunkName } from "../../core/tools/patch-view.ts";
import type { Disposable } from "../../core/util/disposables.ts";
import { toUri } from "../workspace/places.ts";
import { Choices } from "./choices.ts";
import { FollowedEdits } from "./followed-edits.ts";
import type { InlineHunk } from "./inline.ts";
import { hunksOf, isPending, type PatchInReview, patchesOf } from "./patches.ts";
import { type ShownChange, schemes } from "./shown-change.ts";
import { type HunkPlace, hunkAt, placesIn } from "./sides.ts";
import { chosenIn } from "./units.ts";

/** Where the patches come from that are under review: the session in use, whichever that is. */
export interface ReviewedSession
  extends Pick<Session, "state" | "decide" | "onEvent">,
    Pick<SessionPatches, "proposal"> {
  /** It is another one by now. */
  onSwitch(listener: () => void): Disposable;
}

/** Some hunks of one patch. */
export interface Target {
  readonly call: string;
  readonly hunks: readonly string[];
}

export class Desk {
  readonly #folders: () => readonly string[];
  readonly #choices = new Choices();
  readonly #followed = new FollowedEdits();
  readonly #changed = new vscode.EventEmitter<void>();
  #isTelling = false;
  #session: ReviewedSession | undefined;
  #patches: readonly PatchInReview[] = [];

  readonly onDidChange = this.#changed.event;

  constructor(folders: () => readonly string[]) {
    this.#folders = folders;
  }

  /** From now on this is where patches come from. */
  follow(session: ReviewedSession): vscode.Disposable {
    this.#session = session;
    this.#look();
    return vscode.Disposable.from(
      session.onEvent((event) => {
        if (event.type === "patch" && event.status === "proposed") this.#choices.reopen(event.call);
        if (event.type === "patch" || event.type === "ended" || event.type === "cut") this.#look();
      }),
      session.onSwitch(() => this.#look()),
    );
  }

  get patches(): readonly PatchInReview[] {
    return this.#patches;
  }

  get pending(): readonly PatchInReview[] {
    return this.#patches.filter(isPending);
  }

  /** What is only a sample, or was proposed in an earlier window, can be looked at. */
  canEdit(call: string): boolean {
    return this.#pendingOf(call) !== undefined && this.#session?.proposal(call)?.edited !== undefined;
  }

  /** How many changes wait for a decision. A patch waits until the last of them has one. */
  get waiting(): number {
    return this.pending.reduce((sum, patch) => sum + this.#undecided(patch), 0);
  }

  takes(call: string, hunk: string): boolean {
    return this.#choices.takes(call, hunk);
  }

  isSettled(call: string, hunk: string): boolean {
    return this.#choices.isSettled(call, hunk);
  }

  tick(target: Target, on: boolean): void {
    this.#choices.tick(target.call, this.#whole(target), on);
    this.#tell();
  }

  /** Takes a person's own words for a proposed text; from then on the file is taken whole or not at all. */
  edit({ call, path, change }: ShownChange, text: string | undefined): void {
    const edited = this.#pendingOf(call) && this.#session?.proposal(call)?.edited;
    if (edited === undefined || edited.get(path) === text) return;
    // Who only takes whole hunks out of it, or puts them back, has chosen among them and written nothing.
    const chosen = text === undefined ? undefined : chosenIn(change, text);
    if (text === undefined || chosen !== undefined) edited.delete(path);
    else edited.set(path, text);
    for (const [hunk, on] of chosen ?? []) this.#choices.tick(call, [hunkName(path, hunk)], on);
    this.#tell();
  }

  isEdited(call: string, path: string): boolean {
    return this.#session?.proposal(call)?.edited?.has(path) === true;
  }

  /** With the last hunk the answer leaves. */
  settle(target: Target, on: boolean, reason?: string): void {
    const { call } = target;
    const patch = this.#pendingOf(call);
    if (patch === undefined) return;
    this.#choices.settle(call, this.#whole(target), on, reason);
    const decision = this.#choices.complete(call, idsOf(patch));
    if (decision === undefined) this.#tell();
    else this.#session?.decide(call, decision);
  }

  /** What is ticked is taken, the rest is not. */
  finish(call: string): void {
    const patch = this.#pendingOf(call);
    if (patch !== undefined) this.#session?.decide(call, this.#choices.decision(call, idsOf(patch)));
  }

  /** These hunks are taken, and no others. */
  take(target: Target): void {
    const patch = this.#pendingOf(target.call);
    if (patch === undefined) return;
    this.#choices.tick(target.call, idsOf(patch), false);
    this.#choices.tick(target.call, this.#whole(target), true);
    this.finish(target.call);
  }

  reject(call: string, reason?: string): void {
    if (this.#pendingOf(call) === undefined) return;
    this.#session?.decide(call, { kind: "reject", ...(reason !== undefined && { reason }) });
  }

  /** The changes of a patch in full, while this window knows them. */
  shown(call: string): readonly ShownChange[] {
    const proposal = this.#session?.proposal(call);
    if (proposal === undefined) return [];
    const isDone = proposal.applied.length > 0;
    return (isDone ? proposal.applied : proposal.plan.changes).map((change) =>
      this.#show(call, change, isDone),
    );
  }

  find(call: string, path: string): ShownChange | undefined {
    return this.shown(call).find((shown) => shown.path === path || shown.to === path);
  }

  /** Why a file of a waiting patch no longer fits what is open in the editor. */
  staleness({ call }: PatchInReview, { path }: PatchFile): string | undefined {
    const shown = this.find(call, path);
    if (shown === undefined || !("edits" in shown.change)) return undefined;
    const name = toUri(shown.change.file).toString();
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === name);
    if (document === undefined || this.#followed.of(shown.change, document) !== undefined) return undefined;
    return vscode.l10n.t("You have changed these lines since; accepting looks at them once more.");
  }

  /** Whether something that waits for this document no longer fits it. */
  isStale(document: vscode.TextDocument): boolean {
    return this.#editsOf(document).some(({ change }) => this.#followed.of(change, document) === undefined);
  }

  /** Changes that wait, where they stand in a real file now. */
  hunksIn(document: vscode.TextDocument): InlineHunk[] {
    return this.#editsOf(document).flatMap(({ call, path, edited, change }) => {
      // What somebody has rewritten is no longer what its hunks say.
      const edits = edited === undefined ? this.#followed.of(change, document) : undefined;
      const places = edits === undefined ? [] : placesIn({ ...change, edits }, path, () => true);
      return places.filter(({ hunk }) => !this.isSettled(call, hunk)).map((place) => ({ call, place }));
    });
  }

  /** The hunk under the cursor, in a real file or in one of the review's documents. */
  hunkAt({ document, selection }: vscode.TextEditor): Target | undefined {
    const { line } = selection.active;
    const { scheme, query, path } = document.uri;
    if (scheme === schemes.base || scheme === schemes.review) {
      const shown = this.find(query, path.slice(1));
      if (shown === undefined || this.#pendingOf(query) === undefined) return undefined;
      if (shown.edited !== undefined) return this.#fileOf(shown);
      const places = placesIn(shown.change, shown.path, shown.takes);
      return targetOf(query, hunkAt(places, line, scheme === schemes.base ? "before" : "after"));
    }
    const hunks = this.hunksIn(document);
    const found = hunkAt(
      hunks.map(({ place }) => place),
      line,
      "before",
    );
    return targetOf(hunks.find(({ place }) => place.hunk === found)?.call ?? "", found);
  }

  placesOf({ change, path, takes }: ShownChange): readonly HunkPlace[] {
    return placesIn(change, path, takes);
  }

  dispose(): void {
    this.#followed.dispose();
    this.#changed.dispose();
  }

  /** What waits for a real file. */
  #editsOf(document: vscode.TextDocument) {
    const name = document.uri.toString();
    return this.pending.flatMap(({ call }) =>
      this.shown(call).flatMap(({ path, edited, change }) =>
        "edits" in change && toUri(change.file).toString() === name ? [{ call, path, edited, change }] : [],
      ),
    );
  }

  #undecided(patch: PatchInReview): number {
    return hunksOf(patch).filter(({ id }) => !this.isSettled(patch.call, id)).length;
  }

  #pendingOf(call: string): PatchInReview | undefined {
    return this.pending.find((patch) => patch.call === call);
  }

  #fileOf({ call, path }: Pick<ShownChange, "call" | "path">): Target | undefined {
    const file = this.#pendingOf(call)?.files.find((each) => each.path === path);
    return file && { call, hunks: file.hunks.map(({ id }) => id) };
  }

  /** With the other hunks of files that a person has written into. */
  #whole({ call, hunks }: Target): readonly string[] {
    const files = this.#pendingOf(call)?.files ?? [];
    const others = files
      .filter(({ path, hunks: own }) => this.isEdited(call, path) && own.some(({ id }) => hunks.includes(id)))
      .flatMap(({ hunks: own }) => own.map(({ id }) => id));
    return [...new Set([...hunks, ...others])];
  }

  #show(call: string, change: FileChange, isDone: boolean): ShownChange {
    const path = pathOf(change.file, this.#folders());
    const to = change.kind === "move" ? pathOf(change.to, this.#folders()) : path;
    const takes = (hunk: number) => isDone || this.takes(call, hunkName(path, hunk));
    const edited = isDone ? undefined : this.#session?.proposal(call)?.edited?.get(path);
    return { call, path, to, change, edited, takes };
  }

  /** Once for everything that happens in one go, and in a task of its own: there is much to draw. */
  #tell(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    setImmediate(() => {
      this.#isTelling = false;
      this.#changed.fire();
    });
  }

  #look(): void {
    this.#patches = this.#session === undefined ? [] : patchesOf(this.#session.state);
    const calls = new Set(this.pending.map(({ call }) => call));
    this.#choices.keepOnly(calls);
    this.#followed.keepOnly(
      new Set([...calls].flatMap((call) => this.#session?.proposal(call)?.plan.changes ?? [])),
    );
    this.#tell();
  }
}

const idsOf = (patch: PatchInReview): string[] => hunksOf(patch).map(({ id }) => id);

const targetOf = (call: string, hunk: string | undefined): Target | undefined =>
  hunk === undefined ? undefined : { call, hunks: [hunk] };
