// Under each change that waits, where it can be seen: what it does in a few words, Accept, Reject and Ask. In a diff the
// thread stands on the proposed side; where little waits it stands in the file itself, with the lines that would come.
import * as vscode from "vscode";
import type { PendingHunk } from "../../core/changes/pending-file.ts";
import { isFolded } from "../../core/risk/flags.ts";
import { comment, followAnswer, modelWords } from "../threads/thread-talk.ts";
import type { Threads } from "../threads/threads.ts";
import type { References } from "./references.ts";
import { type ReviewModel, type ReviewSet, uriOf, type WaitingFile } from "./review-model.ts";
import { evidenceInWords, flagsInWords } from "./risk-words.ts";
import { schemes } from "./shown-change.ts";
import type { HunkPlace } from "./sides.ts";

/** What a button of a thread stands for. */
export interface HunkRef {
  readonly set: ReviewSet;
  readonly hunk: string;
}

export interface HunkThreads extends vscode.Disposable {
  refresh(): void;
  /** Only threads that were made here are believed (threats A8). */
  refOf(argument: unknown): HunkRef | undefined;
  /** Asks for what should be different about a change, and shows the answer in its thread. */
  ask(ref: HunkRef): Promise<void>;
  /** What was said about what this set proposes goes on below its changes. False: they are in no file that is in sight. */
  say(set: ReviewSet, comments: readonly vscode.Comment[]): boolean;
  /** What the last answer has changed in the proposal of this file. */
  showRevision(ref: HunkRef): Promise<void>;
}

export interface HunkThreadDeps {
  readonly desk: ReviewModel;
  readonly threads: Threads;
  readonly references: References;
  /** Asks about one change in the session that proposes it. */
  askAbout(file: WaitingFile, place: HunkPlace, words: string): Promise<string>;
  /** Brings a change into sight where it has its thread. */
  show(file: WaitingFile, hunk: string): Promise<void>;
  /** Against the proposal as it was before. */
  showRevision(file: WaitingFile, before: string): Promise<void>;
  report(error: unknown): void;
}

/** So much can be looked at between the lines of a file. */
const few = { files: 1, hunks: 3, lines: 14 } as const;
/** In one document: more are decided in the tree. */
const maxThreads = 200;
const atOnce = 8;

interface Place {
  readonly file: WaitingFile;
  readonly place: HunkPlace;
  /** The line below which it stands. */
  readonly line: number;
  readonly label: string;
  /** It is about form alone: its thread is there for who opens it. */
  readonly isQuiet: boolean;
  /** What would come, where it cannot be seen. */
  readonly comes: vscode.Comment | undefined;
}

/** What was said about the proposal for a file: it goes along with its nearest change. */
interface Talk {
  readonly comments: readonly vscode.Comment[];
  /** The line of the proposed text it began at. */
  readonly line: number;
  /** The proposed text before the last answer. */
  readonly before: string;
}

interface Shown {
  readonly thread: vscode.CommentThread;
  readonly ref: HunkRef;
  line: number;
  drawn: string;
}

export function createHunkThreads(deps: HunkThreadDeps): HunkThreads {
  const { desk, threads, references, askAbout, show, showRevision, report } = deps;
  const shown = new Map<string, Map<string, Shown>>();
  const refs = new WeakMap<object, HunkRef>();
  const talks = new Map<string, Talk>();
  const goes = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("diffEditor.removedLineBackground"),
    // Themes of high contrast have lines instead of backgrounds, the others no lines.
    borderColor: new vscode.ThemeColor("diffEditor.removedTextBorder"),
    borderStyle: "dashed",
    borderWidth: "1px",
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.modifiedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
  const listening = vscode.Disposable.from(
    vscode.window.onDidChangeVisibleTextEditors(refresh),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => clear(uri.toString())),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (shown.has(document.uri.toString())) draw(document);
    }),
  );

  function refresh(): void {
    for (const address of talks.keys()) if (desk.find(address) === undefined) talks.delete(address);
    const open = new Set<vscode.TextDocument>();
    for (const { document } of vscode.window.visibleTextEditors) open.add(document);
    // What was shown once stays as long as its document is there: scrolling a diff of many files is no reason to go.
    for (const document of vscode.workspace.textDocuments)
      if (shown.has(document.uri.toString())) open.add(document);
    for (const document of open) draw(document);
  }

  function draw(document: vscode.TextDocument): void {
    const name = document.uri.toString();
    const places = placesIn(document, desk, references).slice(0, maxThreads);
    for (const editor of vscode.window.visibleTextEditors)
      if (editor.document === document && document.uri.scheme !== schemes.review)
        editor.setDecorations(goes, places.map(goingRange).filter(isSome));
    const before = shown.get(name);
    if (places.length === 0 && before === undefined) return;
    const now = new Map<string, Shown>();
    let made = 0;
    for (const each of places) {
      const key = `${each.file.address}\n${each.place.hunk}`;
      const known = before?.get(key);
      // Many at once would hold everything else up.
      if (known === undefined && ++made > atOnce) continue;
      const one = known ?? make(document, each);
      place(one, each, nearest(each, places));
      now.set(key, one);
    }
    for (const [key, one] of before ?? [])
      if (now.has(key)) continue;
      // In the middle of an edit nobody can say where it stands; its thread moves along by itself.
      else if (isBetween(document, one.ref)) now.set(key, one);
      else one.thread.dispose();
    if (now.size > 0) shown.set(name, now);
    else shown.delete(name);
    if (made > atOnce) setImmediate(() => document.isClosed || draw(document));
  }

  function isBetween({ uri }: vscode.TextDocument, ref: HunkRef): boolean {
    const { file } = find(ref) ?? {};
    return file !== undefined && uri.scheme !== schemes.review && isFew(file, desk);
  }

  function make({ uri }: vscode.TextDocument, { file, place, line, isQuiet }: Place): Shown {
    const thread = threads.open(uri, line, isQuiet);
    const ref = { set: file.set, hunk: place.hunk };
    refs.set(thread, ref);
    return { thread, ref, line, drawn: "" };
  }

  /** The widget follows typing by itself; what it says is set where it is something else. */
  function place(one: Shown, { file, line, label, comes }: Place, talk: Talk | undefined): void {
    const { thread } = one;
    if (one.line !== line) thread.range = new vscode.Range(line, 0, line, 0);
    one.line = line;
    const isRevised = talk !== undefined && talk.before !== desk.proposedText(file);
    const { session } = file.set;
    const context = [
      "hunk",
      session && (session.isRunning ? "running" : "ask"),
      session?.isTask === true && "task",
      comes && "file",
      isRevised && "revised",
    ];
    const contextValue = context.filter(Boolean).join(".");
    if (thread.contextValue !== contextValue) thread.contextValue = contextValue;
    if (thread.label !== label) thread.label = label;
    const comments = [...(comes === undefined ? [] : [comes]), ...(talk?.comments ?? [])];
    const drawn = JSON.stringify(comments.map(({ body, author }) => [author.name, wordsOf(body)]));
    if (drawn === one.drawn || threads.isAsking(thread)) return;
    one.drawn = drawn;
    thread.comments = comments;
  }

  /** What was said about a change stays with what became of it. */
  function nearest(each: Place, places: readonly Place[]): Talk | undefined {
    const talk = talks.get(each.file.address);
    if (talk === undefined) return undefined;
    const distance = ({ place }: Place) => Math.abs(place.after.first - talk.line);
    const own = places.filter(({ file }) => file === each.file);
    const best = own.reduce((one, other) => (distance(other) < distance(one) ? other : one), each);
    return best === each ? talk : undefined;
  }

  function clear(name: string): void {
    for (const { thread } of shown.get(name)?.values() ?? []) thread.dispose();
    shown.delete(name);
  }

  function find({ set, hunk }: HunkRef): { file: WaitingFile; place: HunkPlace } | undefined {
    const file = desk.files.find(
      (each) => each.set === set && each.pending.hunks.some(({ id }) => id === hunk),
    );
    const found = file && desk.placesOf(file).find((each) => each.hunk === hunk);
    return file && found && { file, place: found };
  }

  function threadOf({ set, hunk }: HunkRef): vscode.CommentThread | undefined {
    const active = threads.editor?.document.uri.toString();
    const all = [...shown].flatMap(([name, own]) => [...own.values()].map((one) => ({ name, ...one })));
    const own = all.filter(({ ref }) => ref.set === set && ref.hunk === hunk);
    return (own.find(({ name }) => name === active) ?? own[0])?.thread;
  }

  async function ask(ref: HunkRef): Promise<void> {
    const found = find(ref);
    if (found === undefined || ref.set.session === undefined) return;
    if (threadOf(ref) === undefined) await show(found.file, ref.hunk);
    refresh();
    const thread = threadOf(ref);
    if (thread === undefined) return;
    threads.ask(thread, {
      title: vscode.l10n.t("What should change? Ctrl+Enter sends, Escape closes"),
      take: (words) => void talk(ref, words).catch(report),
      leave: refresh,
    });
  }

  async function talk(ref: HunkRef, words: string): Promise<void> {
    const found = find(ref);
    const { session } = ref.set;
    if (found === undefined || session === undefined) return;
    const { file, place } = found;
    const { address } = file;
    const earlier = talks.get(address)?.comments ?? [];
    const asked = [...earlier, comment(vscode.l10n.t("You"), words)];
    const before = desk.proposedText(file) ?? "";
    const keep = (answer: vscode.Comment) => {
      talks.set(address, { comments: [...asked, answer], line: place.after.first, before });
      refresh();
    };
    const following = followAnswer(session, keep);
    try {
      const answer = await askAbout(file, place, words);
      following.dispose();
      keep(
        comment("Patchbay", answer === "" ? vscode.l10n.t("The proposal was revised.") : modelWords(answer)),
      );
    } catch (error) {
      following.dispose();
      talks.set(address, { comments: asked, line: place.after.first, before });
      refresh();
      throw error;
    }
  }

  return {
    refresh,
    ask,
    refOf: (argument) => (typeof argument === "object" && argument !== null ? refs.get(argument) : undefined),
    say(set, comments) {
      const file = desk.files.find((each) => each.set === set);
      const [first] = file === undefined ? [] : desk.placesOf(file);
      if (file === undefined || first === undefined) return false;
      const uri = uriOf(file.change.file, set)?.toString();
      const document = vscode.window.visibleTextEditors.find(
        (editor) => editor.document.uri.toString() === uri,
      );
      if (document === undefined || placesIn(document.document, desk, references).length === 0) return false;
      talks.set(file.address, { comments, line: first.after.first, before: desk.proposedText(file) ?? "" });
      refresh();
      return true;
    },
    async showRevision(ref) {
      const { file } = find(ref) ?? {};
      const before = file && talks.get(file.address)?.before;
      if (file !== undefined && before !== undefined) await showRevision(file, before);
    },
    dispose() {
      for (const name of [...shown.keys()]) clear(name);
      vscode.Disposable.from(listening, goes).dispose();
    },
  };
}

/** The hunks of a document that wait, and below which of its lines each is decided. */
function placesIn(document: vscode.TextDocument, desk: ReviewModel, references: References): Place[] {
  const { scheme, query } = document.uri;
  if (scheme === schemes.base) return [];
  if (scheme !== schemes.review) return placesInFile(document, desk, references);
  const file = desk.find(query);
  if (file === undefined || file.pending.problem !== undefined) return [];
  const evidence = evidenceInWords(file.set);
  return desk.placesOf(file).map((place, at, { length }) => {
    const { first, last } = place.after;
    const line = last > first ? last - 1 : Math.max(first - 1, 0);
    const hunk = hunkOf(file, place);
    const label = labelOf(file, place, which(at, length), flagsOf(file, hunk, references), evidence);
    return { file, place, line, label, isQuiet: isFolded(hunk?.flags ?? []), comes: undefined };
  });
}

/** Where much waits a file stays as quiet as it was: it is looked at in the diff. */
function placesInFile(document: vscode.TextDocument, desk: ReviewModel, references: References): Place[] {
  const hunks = desk.hunksIn(document).filter(({ file }) => isFew(file, desk));
  return hunks.map(({ file, place }, at) => {
    const { first, last } = place.before;
    const line = last > first ? last - 1 : Math.max(first - 1, 0);
    const comes = place.text === "" ? undefined : comingLines(place.text, document.languageId);
    const hunk = hunkOf(file, place);
    const flags = flagsOf(file, hunk, references);
    const label = labelOf(file, place, which(at, hunks.length), flags, evidenceInWords(file.set));
    return { file, place, line, label, isQuiet: isFolded(hunk?.flags ?? []), comes };
  });
}

function isFew({ set }: WaitingFile, desk: ReviewModel): boolean {
  const own = desk.files.filter((file) => file.set === set);
  const hunks = own.flatMap(({ pending }) => pending.hunks);
  return own.length <= few.files && (set.isInFile === true || hunks.length <= few.hunks);
}

const hunkOf = ({ pending }: WaitingFile, place: HunkPlace): PendingHunk | undefined =>
  pending.hunks.find(({ id }) => id === place.hunk);

const flagsOf = (file: WaitingFile, hunk: PendingHunk | undefined, references: References): string =>
  hunk === undefined ? "" : flagsInWords(hunk.flags, references.countOf(file, hunk));

const which = (at: number, count: number): string =>
  count > 1 ? vscode.l10n.t("Change {0} of {1}", at + 1, count) : "";

/** Which change, what it does, why it deserves a look, and what the person's checks say of all that is proposed. */
function labelOf(
  { change }: WaitingFile,
  place: HunkPlace,
  number: string,
  flags: string,
  evidence: readonly string[],
): string {
  const t = vscode.l10n.t;
  const removed = place.before.last - place.before.first;
  const added = place.after.last - place.after.first;
  const counts = [
    ...(removed === 0 ? [] : [removed === 1 ? t("1 line removed") : t("{0} lines removed", removed)]),
    ...(added === 0 ? [] : [added === 1 ? t("1 line added") : t("{0} lines added", added)]),
  ].join(", ");
  const what = change.kind === "add" ? [t("New file")] : [number, counts];
  return [...what, flags, ...evidence].filter((part) => part !== "").join(" · ");
}

function comingLines(text: string, language: string): vscode.Comment {
  const lines = text.split("\n");
  const body = new vscode.MarkdownString();
  body.appendCodeblock(lines.slice(0, few.lines).join("\n"), language);
  const more = lines.length - few.lines;
  if (more > 0) body.appendText(vscode.l10n.t("… and {0} more lines. Choose Show Change to see all.", more));
  return comment(vscode.l10n.t("Proposed"), body);
}

const goingRange = ({ place: { before } }: Place): vscode.Range | undefined =>
  before.last > before.first ? new vscode.Range(before.first, 0, before.last - 1, 0) : undefined;

const isSome = <T>(value: T | undefined): value is T => value !== undefined;

const wordsOf = (body: string | vscode.MarkdownString): string =>
  typeof body === "string" ? body : body.value;
