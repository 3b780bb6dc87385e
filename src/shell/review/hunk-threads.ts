// Under each change that waits, where it can be seen: what it does in a few words, Accept, Reject and Ask. In a diff the
// thread stands on the proposed side; where little waits it stands in the file itself, with the lines that would come.
import * as vscode from "vscode";
import { inSteps } from "../../core/util/yield-to-event-loop.ts";
import { onDidChangeVisibleEditors, visibleEditors } from "../editors.ts";
import { comment, followAnswer, modelWords } from "../threads/thread-talk.ts";
import type { Threads } from "../threads/threads.ts";
import type { HunkPlace } from "./diff-sides.ts";
import type { References } from "./references.ts";
import { type ReviewModel, type ReviewSet, uriOf, type WaitingFile } from "./review-model.ts";
import { schemes } from "./shown-change.ts";
import { isFew, type ThreadPlace, threadPlaces } from "./thread-places.ts";

/** What a button of a thread stands for. */
export interface HunkRef {
  readonly set: ReviewSet;
  readonly hunk: string;
}

export interface HunkThreads extends vscode.Disposable {
  refresh(): void;
  /** Only threads that were made here are believed (threats A8). */
  refOf(argument: unknown): HunkRef | undefined;
  /** The same for a conflict: the file that it is in, or that is in the way. */
  conflictOf(argument: unknown): WaitingFile | undefined;
  /** Asks for what should be different about a change, and shows the response in its thread. */
  ask(ref: HunkRef): Promise<void>;
  /** What was said about what this set proposes goes on below its changes. False: they are in no file that is in sight. */
  say(set: ReviewSet, comments: readonly vscode.Comment[]): boolean;
  /** What the last response has changed in the proposal of this file. */
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

/** In one document: more are decided in the tree. */
const maxThreads = 200;
/** Milliseconds of drawing at a time: VS Code sends off what was drawn in one go. */
const atATime = 10;

/** What was said about the proposal for a file: it moves with its nearest change. */
interface Talk {
  readonly comments: readonly vscode.Comment[];
  /** The line of the proposed text it began at. */
  readonly line: number;
  /** The proposed text before the last response. */
  readonly before: string;
}

/** A document being drawn. */
interface Drawing {
  /** Something has happened since it began. */
  isStale: boolean;
  done: Promise<void>;
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
  /** Of threads at a conflict: the addresses of their files. */
  const conflicts = new WeakMap<object, string>();
  const talks = new Map<string, Talk>();
  const drawings = new Map<vscode.TextDocument, Drawing>();
  const decorated = new WeakSet<vscode.TextEditor>();
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
    onDidChangeVisibleEditors(() => void refresh()),
    vscode.workspace.onDidCloseTextDocument((document) => {
      drawings.delete(document);
      clear(document.uri.toString());
    }),
    // One that has got another language was closed and is open again, in the same editor.
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (editorsOf(document).length > 0) void draw(document);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (shown.has(document.uri.toString())) void draw(document);
    }),
  );

  async function refresh(): Promise<void> {
    for (const address of talks.keys()) if (desk.find(address) === undefined) talks.delete(address);
    const open = new Set<vscode.TextDocument>();
    for (const { document } of visibleEditors()) open.add(document);
    // What was shown once stays as long as its document is there: scrolling a diff of many files is no reason to go.
    for (const document of vscode.workspace.textDocuments)
      if (shown.has(document.uri.toString())) open.add(document);
    await Promise.all([...open].map(draw));
  }

  /** Resolves once it is drawn as it is then. One drawing at a time: what happens meanwhile has it begin again. */
  function draw(document: vscode.TextDocument): Promise<void> {
    const known = drawings.get(document);
    if (known !== undefined) {
      known.isStale = true;
      return known.done;
    }
    const drawing: Drawing = { isStale: false, done: Promise.resolve() };
    drawings.set(document, drawing);
    drawing.done = drawWhileStale(document, drawing).catch(report);
    return drawing.done;
  }

  async function drawWhileStale(document: vscode.TextDocument, drawing: Drawing): Promise<void> {
    const nextStep = inSteps(undefined, atATime);
    const isCurrent = () => drawings.get(document) === drawing;
    try {
      do {
        drawing.isStale = false;
        for (const step of stepsOf(document)) {
          await nextStep();
          // What is left belongs to what was.
          if (!isCurrent() || drawing.isStale) break;
          step();
        }
      } while (isCurrent() && drawing.isStale);
    } finally {
      if (isCurrent()) drawings.delete(document);
    }
  }

  /** Each a message to VS Code or two: what is gone, then what is nearest to what can be seen. */
  function stepsOf(document: vscode.TextDocument): (() => void)[] {
    const name = document.uri.toString();
    const places = threadPlaces(document, desk, references).slice(0, maxThreads);
    decorate(document, places);
    const talk = talksAt(places);
    const keys = new Map(places.map((each) => [keyOf(each), each]));
    const gone = [...(shown.get(name) ?? [])].filter(
      // In the middle of an edit nobody can say where it stands; its thread moves along by itself.
      ([key, { ref }]) => !keys.has(key) && !isBetween(document, ref),
    );
    return [
      ...gone.map(
        ([key]) =>
          () =>
            remove(name, key),
      ),
      ...nearestFirst([...keys], editorsOf(document)).map(([key, each]) => () => {
        const one = shown.get(name)?.get(key) ?? make(name, key, document, each);
        place(one, each, talk.get(each));
      }),
    ];
  }

  function decorate(document: vscode.TextDocument, places: readonly ThreadPlace[]): void {
    if (document.uri.scheme === schemes.review) return;
    const ranges = places.filter(isChange).map(goingRange).filter(isSome);
    for (const editor of editorsOf(document)) {
      if (ranges.length === 0 && !decorated.has(editor)) continue;
      editor.setDecorations(goes, ranges);
      if (ranges.length > 0) decorated.add(editor);
      else decorated.delete(editor);
    }
  }

  function remove(name: string, key: string): void {
    const own = shown.get(name);
    own?.get(key)?.thread.dispose();
    own?.delete(key);
    if (own?.size === 0) shown.delete(name);
  }

  function isBetween({ uri }: vscode.TextDocument, { set, hunk }: HunkRef): boolean {
    if (uri.scheme === schemes.review) return false;
    const file = desk.files.find(
      (each) => each.set === set && each.pending.hunks.some(({ id }) => id === hunk),
    );
    return file !== undefined && file.pending.problem === undefined && isFew(file, desk);
  }

  function make(
    name: string,
    key: string,
    { uri }: vscode.TextDocument,
    { file, place, line, isQuiet, isConflict }: ThreadPlace,
  ): Shown {
    const thread = threads.open(uri, line, isQuiet);
    const ref = { set: file.set, hunk: place.hunk };
    if (isConflict) conflicts.set(thread, file.address);
    else refs.set(thread, ref);
    const one: Shown = { thread, ref, line, drawn: "" };
    shown.set(name, (shown.get(name) ?? new Map()).set(key, one));
    return one;
  }

  /** The widget follows typing by itself; what it says is set where it is something else. */
  function place(one: Shown, at: ThreadPlace, talk: Talk | undefined): void {
    const { thread } = one;
    const { file, line, comes } = at;
    if (one.line !== line) thread.range = new vscode.Range(line, 0, line, 0);
    one.line = line;
    const isRevised = talk !== undefined && talk.before !== desk.proposedText(file);
    const { session } = file.set;
    const context = at.isConflict
      ? ["conflict", session && "retry", desk.conflictsOf(file).length === 1 && "only"]
      : [
          "hunk",
          session && (session.isRunning ? "running" : "ask"),
          session?.isTask === true && "task",
          comes && "file",
          isRevised && "revised",
        ];
    const contextValue = context.filter(Boolean).join(".");
    if (thread.contextValue !== contextValue) thread.contextValue = contextValue;
    const label = at.label();
    if (thread.label !== label) thread.label = label;
    const comments = [...(comes === undefined ? [] : [comes]), ...(talk?.comments ?? [])];
    const drawn = JSON.stringify(comments.map(({ body, author }) => [author.name, wordsOf(body)]));
    if (drawn === one.drawn || threads.isAsking(thread)) return;
    one.drawn = drawn;
    thread.comments = comments;
  }

  /** What was said about a change stays with what became of it: with the nearest change of its file. */
  function talksAt(places: readonly ThreadPlace[]): ReadonlyMap<ThreadPlace, Talk> {
    const nearest = new Map<Talk, { readonly each: ThreadPlace; readonly distance: number }>();
    for (const each of places.filter(isChange)) {
      const talk = talks.get(each.file.address);
      if (talk === undefined) continue;
      const distance = Math.abs(each.place.after.first - talk.line);
      const best = nearest.get(talk);
      if (best === undefined || distance < best.distance) nearest.set(talk, { each, distance });
    }
    return new Map([...nearest].map(([talk, { each }]) => [each, talk]));
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
    await refresh();
    const thread = threadOf(ref);
    if (thread === undefined) return;
    threads.ask(thread, {
      take: (words) => void talk(ref, words).catch(report),
      leave: () => void refresh(),
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
      void refresh();
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
      void refresh();
      throw error;
    }
  }

  return {
    refresh: () => void refresh(),
    ask,
    refOf: (argument) => (typeof argument === "object" && argument !== null ? refs.get(argument) : undefined),
    conflictOf(argument) {
      if (typeof argument !== "object" || argument === null) return undefined;
      const address = conflicts.get(argument);
      return address === undefined ? undefined : desk.find(address);
    },
    say(set, comments) {
      const file = desk.files.find((each) => each.set === set);
      const [first] = file === undefined ? [] : desk.placesOf(file);
      if (file === undefined || first === undefined) return false;
      const uri = uriOf(file.change.file, set)?.toString();
      const document = visibleEditors().find((editor) => editor.document.uri.toString() === uri);
      if (document === undefined || !threadPlaces(document.document, desk, references).some(isChange))
        return false;
      talks.set(file.address, { comments, line: first.after.first, before: desk.proposedText(file) ?? "" });
      void refresh();
      return true;
    },
    async showRevision(ref) {
      const { file } = find(ref) ?? {};
      const before = file && talks.get(file.address)?.before;
      if (file !== undefined && before !== undefined) await showRevision(file, before);
    },
    dispose() {
      drawings.clear();
      for (const name of [...shown.keys()]) clear(name);
      vscode.Disposable.from(listening, goes).dispose();
    },
  };
}

const keyOf = ({ file, place }: ThreadPlace): string => `${file.address}\n${place.hunk}`;

const editorsOf = (document: vscode.TextDocument): readonly vscode.TextEditor[] =>
  visibleEditors().filter((editor) => editor.document === document);

/** Those in sight first, then what is next to them. */
function nearestFirst(
  places: readonly (readonly [string, ThreadPlace])[],
  editors: readonly vscode.TextEditor[],
): readonly (readonly [string, ThreadPlace])[] {
  const seen = editors.flatMap(({ visibleRanges }) => visibleRanges);
  if (seen.length === 0) return places;
  const distance = ({ line }: ThreadPlace) =>
    seen.reduce(
      (least, { start, end }) => Math.min(least, Math.max(start.line - line, line - end.line, 0)),
      Number.POSITIVE_INFINITY,
    );
  const all = places.map((each) => ({ each, distance: distance(each[1]) }));
  return all.sort((one, other) => one.distance - other.distance).map(({ each }) => each);
}

const isChange = ({ isConflict }: ThreadPlace): boolean => !isConflict;

const goingRange = ({ place: { before } }: ThreadPlace): vscode.Range | undefined =>
  before.last > before.first ? new vscode.Range(before.first, 0, before.last - 1, 0) : undefined;

const isSome = <T>(value: T | undefined): value is T => value !== undefined;

const wordsOf = (body: string | vscode.MarkdownString): string =>
  typeof body === "string" ? body : body.value;
