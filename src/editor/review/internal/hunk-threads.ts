// Threads below each visible pending change: a short description, Accept, Reject and Ask. In a diff the thread is on
// the proposed side; if few changes are pending it is in the file itself, with the lines that would be inserted.
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { createYieldPoint } from "../../../util/concurrency.ts";
import { onDidChangeVisibleEditors, visibleEditors } from "../../text-editors.ts";
import type { Threads } from "../../ui/thread-input.ts";
import { schemes } from "../shown-change.ts";
import type { References } from "./count-references.ts";
import { createHunkTalks, type HunkTalkDeps, type Talk } from "./hunk-conversations.ts";
import type { HunkPlace } from "./hunk-places.ts";
import {
  goingRange,
  hunksInFile,
  isChange,
  isFew,
  nearestFirst,
  type ThreadPlace,
  threadPlaces,
  wordsOf,
} from "./hunk-thread-contents.ts";
import {
  countInWords,
  type Remark,
  type RemarkRef,
  remarkAt,
  remarkComment,
  remarksAt,
  requireRemarks,
  selectedIn,
} from "./remarks.ts";
import type { ReviewModel } from "./review-model.ts";
import type { ReviewSet, WaitingFile } from "./review-targets.ts";
import type { Evidence } from "./set-evidence.ts";

/** What the buttons of a thread refer to. */
interface HunkRef {
  readonly set: ReviewSet;
  readonly hunk: string;
}

export interface HunkThreads extends vscode.Disposable {
  refresh(): void;
  /** Accepts only threads created here (threats A8). */
  refOf(argument: unknown): HunkRef | undefined;
  /** The change whose thread has this number in its context value, if it is visible, and its editor. */
  withNumber(number: number): { readonly ref: HunkRef; readonly editor: vscode.TextEditor } | undefined;
  /** The same for a conflict: the file that contains it, or that is in the way. */
  conflictOf(argument: unknown): WaitingFile | undefined;
  /** Asks the user what should be different about a change, and shows the response in its thread. */
  ask(ref: HunkRef): Promise<void>;
  /** Shows what is answered to a question about several changes below this one. */
  follow(
    file: WaitingFile,
    place: HunkPlace,
    words: string,
    answer: () => Promise<string | undefined>,
  ): Promise<void>;
  /** Opens a remark that waits in its thread, given its comment. */
  editRemark(comment: unknown): Promise<void>;
  dropRemark(comment: unknown): void;
  /** Attaches the comments that preceded this set to its first change, collapsed. */
  say(set: ReviewSet, comments: readonly vscode.Comment[]): void;
  /** Whether the changes of this set have their threads in a visible file. */
  isInFile(set: ReviewSet): boolean;
  /** Collapses or expands the comments. */
  fold(ref: HunkRef, isFolded: boolean): void;
  /** Shows what the last response has changed in the proposal for this file. */
  showRevision(ref: HunkRef): Promise<void>;
}

interface HunkThreadDeps extends Pick<HunkTalkDeps, "askAbout"> {
  readonly reviewModel: ReviewModel;
  readonly threads: Threads;
  readonly references: References;
  readonly evidence: Pick<Evidence, "of">;
  /** Brings a change into view at its thread. */
  show(file: WaitingFile, hunk: string): Promise<void>;
  /** Compares with the earlier proposal. */
  showRevision(file: WaitingFile, before: string): Promise<void>;
  report(error: unknown): void;
}

/** Per document: if there are more, they are decided in the tree. */
const maxThreads = 200;
/** Number of threads that keybindings can distinguish; one editor never shows more. */
const numbers = 8;

/** A document being drawn. */
interface Drawing {
  /** Whether something has changed since it began. */
  isStale: boolean;
  done: Promise<void>;
}

interface Shown {
  readonly thread: vscode.CommentThread;
  /** Used by keybindings, which are not passed a thread. */
  readonly number: number;
  readonly ref: HunkRef;
  line: number;
  drawn: string;
}

export function createHunkThreads(deps: HunkThreadDeps): HunkThreads {
  const { reviewModel, threads, references, evidence, askAbout, show, showRevision, report } = deps;
  const shown = new Map<string, Map<string, Shown>>();
  const refs = new WeakMap<object, HunkRef>();
  /** For threads of conflicts: the addresses of their files. */
  const conflicts = new WeakMap<object, string>();
  /** By the comments that show them. */
  const remarks = new WeakMap<object, RemarkRef>();
  const talks = createHunkTalks({ desk: reviewModel, askAbout, changed: () => void refresh() });
  const drawings = new Map<vscode.TextDocument, Drawing>();
  let made = 0;
  const decorated = new WeakSet<vscode.TextEditor>();
  const goes = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("diffEditor.removedLineBackground"),
    // High-contrast themes use lines instead of backgrounds; other themes have no lines.
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
    // A document whose language was changed was closed and reopened in the same editor.
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (editorsOf(document).length > 0) void draw(document);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (shown.has(document.uri.toString())) void draw(document);
    }),
  );

  async function refresh(): Promise<void> {
    talks.forgetDecided();
    const open = new Set<vscode.TextDocument>();
    for (const { document } of visibleEditors()) open.add(document);
    // Threads stay as long as their document is open: scrolling in a diff of many files must not remove them.
    for (const document of vscode.workspace.textDocuments)
      if (shown.has(document.uri.toString())) open.add(document);
    await Promise.all([...open].map(draw));
  }

  /** Resolves once the current state is drawn. One drawing at a time: a change in between restarts it. */
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
    const nextStep = createYieldPoint();
    const isCurrent = () => drawings.get(document) === drawing;
    try {
      do {
        drawing.isStale = false;
        for (const step of stepsOf(document)) {
          await nextStep();
          // The remaining steps belong to an outdated state.
          if (!isCurrent() || drawing.isStale) break;
          step();
        }
      } while (isCurrent() && drawing.isStale);
    } finally {
      if (isCurrent()) drawings.delete(document);
    }
  }

  /** Each step costs one or two messages to VS Code. Removals first, then what is nearest to the visible range. */
  function stepsOf(document: vscode.TextDocument): (() => void)[] {
    const name = document.uri.toString();
    const places = threadPlaces(document, reviewModel, references, evidence).slice(0, maxThreads);
    decorate(document, places);
    const talk = talks.at(places);
    const waiting = remarksAt(places.filter(isChange), reviewModel);
    const keys = new Map(places.map((each) => [keyOf(each), each]));
    const gone = [...(shown.get(name) ?? [])].filter(
      // In the middle of an edit its place is unknown; VS Code moves its thread along.
      ([key, { ref }]) => !keys.has(key) && !isBetween(document, ref),
    );
    return [
      ...gone.map(
        ([key]) =>
          () =>
            remove(name, key),
      ),
      ...nearestFirst([...keys], editorsOf(document)).map(([key, each]) => () => {
        const said = talk.get(each);
        const one = shown.get(name)?.get(key) ?? make(name, key, document, each, said);
        place(one, each, said, waiting.get(each) ?? []);
      }),
    ];
  }

  function decorate(document: vscode.TextDocument, places: readonly ThreadPlace[]): void {
    if (document.uri.scheme === schemes.review) return;
    const ranges = places.filter(isChange).flatMap((each) => goingRange(each) ?? []);
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
    const file = reviewModel.files.find(
      (each) => each.set === set && each.pending.hunks.some(({ id }) => id === hunk),
    );
    return file !== undefined && file.pending.problem === undefined && isFew(file, reviewModel);
  }

  function make(
    name: string,
    key: string,
    { uri }: vscode.TextDocument,
    { file, place, line, isQuiet, isConflict }: ThreadPlace,
    talk: Talk | undefined,
  ): Shown {
    // A response that is awaited is not collapsed.
    const thread = threads.open(uri, line, isQuiet && talk?.isFolded !== false);
    const ref = { set: file.set, hunk: place.hunk };
    if (isConflict) conflicts.set(thread, file.address);
    else refs.set(thread, ref);
    // Adjacent threads are created one after the other, so they get different numbers.
    const one: Shown = { thread, number: made++ % numbers, ref, line, drawn: "" };
    shown.set(name, (shown.get(name) ?? new Map()).set(key, one));
    return one;
  }

  /** VS Code moves the widget while the user types; set only what is different. */
  function place(
    one: Shown,
    at: ThreadPlace,
    talk: Talk | undefined,
    waiting: readonly (readonly [Remark, boolean])[],
  ): void {
    const { thread } = one;
    const { file, line, comes } = at;
    if (one.line !== line) thread.range = new vscode.Range(line, 0, line, 0);
    one.line = line;
    const isRevised = talk !== undefined && talk.before !== reviewModel.proposedText(file);
    const { session } = file.set;
    const context = at.isConflict
      ? ["conflict", session && "retry", reviewModel.conflictsOf(file).length === 1 && "only"]
      : [
          "hunk",
          session && (session.isRunning ? "running" : "ask"),
          session?.isTask === true && "task",
          comes && "file",
          isRevised && "revised",
          waiting.length > 0 && "remarks",
          talk !== undefined && (talk.isFolded ? "folded" : "unfolded"),
          `at${one.number}`,
        ];
    const contextValue = context.filter(Boolean).join(".");
    if (thread.contextValue !== contextValue) thread.contextValue = contextValue;
    const count = waiting.length === 0 ? 0 : (session?.remarks.list.length ?? 0);
    const label = count === 0 ? at.label() : `${at.label()} · ${countInWords(count)}`;
    if (thread.label !== label) thread.label = label;
    const said = talk?.isFolded === true ? [] : (talk?.comments ?? []);
    const kept = waiting.map(([remark, isThere]) => {
      const shownAs = remarkComment(remark, isThere);
      remarks.set(shownAs, { set: file.set, remark, thread });
      return shownAs;
    });
    const comments = [...(comes === undefined ? [] : [comes]), ...said, ...kept];
    const drawn = JSON.stringify([
      ...comments.map(({ body, author, label: where }) => [author.name, where, wordsOf(body)]),
      ...waiting.map(([{ id }]) => id),
    ]);
    if (drawn === one.drawn || threads.isAsking(thread)) return;
    one.drawn = drawn;
    thread.comments = comments;
  }

  function clear(name: string): void {
    for (const { thread } of shown.get(name)?.values() ?? []) thread.dispose();
    shown.delete(name);
  }

  function find({ set, hunk }: HunkRef): { file: WaitingFile; place: HunkPlace } | undefined {
    const file = reviewModel.files.find(
      (each) => each.set === set && each.pending.hunks.some(({ id }) => id === hunk),
    );
    const found = file && reviewModel.placesOf(file).find((each) => each.hunk === hunk);
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
    const selection = selectionIn(thread.uri);
    /** What is meant, as it is when the words are there. */
    const meant = () => {
      const { file, place } = find(ref) ?? found;
      return { file, place: selectedIn(file, place, selection) };
    };
    threads.ask(thread, {
      check: (isKept) => void (isKept && requireRemarks(ref.set)),
      take(words) {
        renew(thread);
        const { file, place } = meant();
        talks.ask(file, place, words).catch(report);
      },
      keep(words) {
        const { file, place } = meant();
        file.set.session?.remarks.put(remarkAt(file, place, words, randomUUID())).catch(report);
        leave(thread);
      },
      leave: () => leave(thread),
    });
  }

  function leave(thread: vscode.CommentThread): void {
    renew(thread);
    void refresh();
  }

  /** What is selected in the proposed text, the only one whose lines can be told apart. */
  function selectionIn(uri: vscode.Uri): vscode.Selection | undefined {
    const { document, selection } = threads.editor ?? {};
    const isHere = document?.uri.toString() === uri.toString() && uri.scheme === schemes.review;
    return isHere ? selection : undefined;
  }

  async function editRemark(comment: unknown): Promise<void> {
    const chosen = remarkOf(comment);
    // The thread of an open box is recreated when that is closed.
    if (chosen !== undefined && threads.isAsking(chosen.thread)) {
      await threads.cancel();
      await refresh();
    }
    const shownAs = shownRemark(chosen);
    const { set, remark, thread } = remarkOf(shownAs) ?? {};
    if (thread === undefined || set === undefined || remark === undefined) return;
    thread.comments = thread.comments.filter((each) => each !== shownAs);
    const keep = (words: string) => {
      set.session?.remarks.put({ ...remark, words }).catch(report);
      leave(thread);
    };
    const check = () => requireRemarks(set, remark.id);
    threads.ask(thread, { words: remark.words, check, take: keep, keep, leave: () => leave(thread) });
  }

  function shownRemark(chosen: RemarkRef | undefined): vscode.Comment | undefined {
    const own = [...(shown.get(chosen?.thread.uri.toString() ?? "")?.values() ?? [])];
    const isIt = (each: vscode.Comment) => remarks.get(each)?.remark.id === chosen?.remark.id;
    return own.flatMap(({ thread }) => thread.comments).find(isIt);
  }

  const remarkOf = (comment: unknown): RemarkRef | undefined =>
    typeof comment === "object" && comment !== null ? remarks.get(comment) : undefined;

  /** VS Code returns the focus to a thread that once had it whenever the thread changes, so it is recreated. */
  function renew(thread: vscode.CommentThread): void {
    for (const [name, own] of shown)
      for (const [key, one] of own) if (one.thread === thread) remove(name, key);
  }

  return {
    refresh: () => void refresh(),
    ask,
    refOf: (argument) => (typeof argument === "object" && argument !== null ? refs.get(argument) : undefined),
    withNumber(number) {
      const active = threads.editor;
      const editors = [...(active === undefined ? [] : [active]), ...visibleEditors()];
      for (const editor of editors) {
        const own = [...(shown.get(editor.document.uri.toString())?.values() ?? [])];
        const inSight = own.find(
          ({ thread, number: each, line }) =>
            each === number &&
            refs.has(thread) &&
            editor.visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line),
        );
        if (inSight !== undefined) return { ref: inSight.ref, editor };
      }
      return undefined;
    },
    conflictOf(argument) {
      if (typeof argument !== "object" || argument === null) return undefined;
      const address = conflicts.get(argument);
      return address === undefined ? undefined : reviewModel.find(address);
    },
    say: talks.say,
    follow: talks.follow,
    editRemark,
    dropRemark(comment) {
      const { set, remark } = remarkOf(comment) ?? {};
      if (remark !== undefined) set?.session?.remarks.drop(remark.id).catch(report);
      void refresh();
    },
    isInFile: (set) =>
      visibleEditors().some(({ document }) =>
        hunksInFile(document, reviewModel).some(({ file }) => file.set === set),
      ),
    fold(ref, isFolded) {
      const { file } = find(ref) ?? {};
      if (file !== undefined) talks.fold(file, isFolded);
    },
    async showRevision(ref) {
      const { file } = find(ref) ?? {};
      const before = file && talks.textBefore(file);
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
