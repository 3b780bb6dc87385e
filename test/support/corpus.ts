// The one door for corpora, drivers and foreign servers that live outside of this tree and are pointed at the product. What
// is exported here keeps its name and form whatever is moved behind it; whoever moves it mends this file. Problems, flags
// and states are plain data, and sentences are English.
//
//   import { changeSet, oneTurn } from "<checkout>/test/support/corpus.ts";
//
//   <checkout>/node_modules/.bin/esbuild my-corpus.ts --bundle --platform=node --format=esm --packages=external
//     --target=node20 --alias:vscode=<checkout>/test/support/editor-on-disk.ts --outfile=<checkout>/.build/my-corpus.mjs
//   cd <checkout> && node .build/my-corpus.mjs
//
// The outcome lies in the checkout so that its packages are found; `renderPage` reads the sources below the folder it runs in.
import type { Attachment } from "../../src/conversation/state.ts";
import { createPrivacy, takeOutSecrets } from "../../src/files/privacy.ts";
import { merge3 as mergeTexts } from "../../src/patch/diff-and-merge.ts";
import { nameAfter } from "../../src/patch/edits.ts";
import { planPatch } from "../../src/patch/plan.ts";
import { riskFlags as allFlags } from "../../src/risk/flags.ts";
import { createToolTable, ownTools } from "../../src/tools/tool-table.ts";
import { changeSet as openChangeSet, type SetHunk } from "./change-set.ts";
import { type AppliedChange, appliedChange, carryOut, DiskWorkspace } from "./disk-workspace.ts";
import { type Answer, type ConversationOptions, driveSession } from "./driven-session.ts";
import { type LiveOptions, type LiveSession, openLiveSession } from "./live-session.ts";
import { inMemory, MemoryWorkspace } from "./memory-workspace.ts";
import { oneTurn as askOneTurn, type OneTurn } from "./one-turn.ts";
import {
  type LanguageModelProvider,
  openClient,
  openProvider,
  type PlainClient,
  type PlainResult,
  plainResult,
  type ServiceOptions,
} from "./plain-service.ts";
import { type CheckCommand, type CheckedProposal, checkPatch } from "./proposal-checks.ts";
import { type ChangedFile, flagsOf } from "./risk.ts";

export type {
  Answer,
  ChangedFile,
  CheckCommand,
  CheckedProposal,
  ConversationOptions,
  LanguageModelProvider,
  LiveOptions,
  LiveSession,
  OneTurn,
  PlainClient,
  PlainResult,
  ServiceOptions,
  SetHunk,
};

// Patches and texts.

export interface AppliedPatch {
  readonly changes: readonly AppliedChange[];
  /** How the patch had to be read: codes. */
  readonly notes: readonly string[];
}

/**
 * Plans a patch on a folder and writes it there, all of it or nothing. `complete`: the call that held it arrived whole, so
 * that its end marker may be missing; true unless told. `foldsCase`: names lead to files in any letter case.
 * @throws an Error whose `forModel` is what the model would be told; the folder is then as it was.
 */
export async function applyToFolder(
  root: string,
  patch: string,
  { complete = true, foldsCase = false }: { readonly complete?: boolean; readonly foldsCase?: boolean } = {},
): Promise<AppliedPatch> {
  const workspace = new DiskWorkspace(root, { foldsCase });
  const { changes, notes } = await planPatch(patch, workspace);
  const codes = notes.map(({ code }) => code);
  if (!complete && codes.includes("no-end"))
    throw Object.assign(new Error(cutPatch), { name: "PatchError", forModel: cutPatch });
  carryOut(workspace, changes);
  return { changes: changes.map(appliedChange), notes: codes };
}

/** The product never plans what did not arrive whole, so it has no words for this. */
const cutPatch = "The patch ends without its end marker.";

export interface CorpusChangeSet {
  propose(patch: string): Promise<{ ok: true } | { ok: false; why: string }>;
  live(path: string): string | undefined;
  /** The file as a person has it from now on. */
  type(path: string, text: string): void;
  /** A person has made this of the proposed text. */
  edit(path: string, text: string): void;
  proposed(path: string): string | undefined;
  hunks(): SetHunk[];
  /** Without names: all that can be. False: one of them is not there any more, and nothing was done. */
  accept(hunks?: readonly string[]): boolean;
  reject(hunks?: readonly string[], reason?: string): boolean;
  /** All that waits of a call, counted from 1. */
  rejectCall(number: number): void;
  /** What was accepted last is taken back, as far as it can be: why something of it stays. */
  undo(): readonly string[];
  /** What the model is told with the next request; once. */
  news(): string[];
}

/** What is proposed, typed, accepted, rejected and taken back over files in memory, by their paths. */
export const changeSet = (files: Readonly<Record<string, string>>): CorpusChangeSet => openChangeSet(files);

/** Both ways on from `base`; where both changed the same lines those of `mine` stay. */
export function merge3(base: string, mine: string, theirs: string): { text: string; conflicts: number } {
  const { text, conflicts } = mergeTexts(base, mine, theirs);
  return { text, conflicts: conflicts.length };
}

// What is looked at in files.

const privacy = createPrivacy({ ignore: [], alsoIgnore: [] });

/** Whether the name alone keeps a file here, wherever it lies. */
export function isSecretName(path: string): boolean {
  const names = path.split(/[/\\]/).filter((name) => name !== "" && name !== "." && name !== "~");
  return privacy(names.join("/"), false) !== undefined;
}

export const withoutSecrets = (text: string): string => takeOutSecrets(text).text;

/** Why a change of one file deserves a look before others, the heaviest reason first. */
export function riskFlags(change: ChangedFile): string[] {
  const found = new Set(flagsOf(change).flatMap(({ flags }) => flags));
  return allFlags.filter((flag) => found.has(flag));
}

/**
 * Runs commands on a copy of the folder without the patch and with it, and tells what only the latter says. Whoever calls
 * it has agreed to what they run.
 * @throws as `applyToFolder` does.
 */
export const checkProposal = (
  root: string,
  patch: string,
  commands: readonly CheckCommand[],
  signal = new AbortController().signal,
): Promise<CheckedProposal> => checkPatch(root, patch, commands, signal);

// The service.

/** Raw JSON of each tool of the product that is offered to a model; `oneTurn` and `respond` send them along as `tools`. */
export const offered: readonly string[] = createToolTable(
  ownTools.filter(({ needs }) => needs === undefined),
  { user: new Map(), workspace: new Map() },
  new Set(),
).definitions();

/** The four operations of the service by the product's own client. Nothing of it throws. */
export const serviceClient = (options: ServiceOptions): PlainClient => openClient(options);

/** What other extensions ask through VS Code's language models, answered without an editor; nobody is asked first. */
export const languageModelProvider = (options: ServiceOptions): LanguageModelProvider =>
  openProvider(options);

/** One prompt to the service, without a conversation. */
export const oneTurn = async (turn: OneTurn): Promise<PlainResult> => plainResult(await askOneTurn(turn));

// Conversations.

export interface OneConversation {
  /** Resolves when the turn has ended, or a tool waits for a decision. Patches wait for nothing. */
  ask(
    prompt: string,
    options?: { readonly model?: string; readonly attachments?: readonly Attachment[] },
  ): Promise<Answer>;
  stop(): void;
  /** As they are now, by path. */
  files(): Readonly<Record<string, string>>;
  /** Hunks that wait for a decision. */
  pending(): readonly { readonly id: string; readonly calls: readonly string[]; readonly path: string }[];
  /** All that waits, tools as well, or only these hunks. Resolves as `ask` does. */
  accept(ids?: readonly string[]): Promise<Answer>;
  reject(ids?: readonly string[], reason?: string): Promise<Answer>;
  close(): Promise<void>;
}

/** One conversation with files and journal in memory. What went wrong is part of the answer. */
export async function oneConversation({
  files,
  ...options
}: ConversationOptions & { readonly files: Readonly<Record<string, string>> }): Promise<OneConversation> {
  const memory = new MemoryWorkspace(files);
  const driven = driveSession(inMemory(memory), options);
  const { session } = driven;
  return {
    ask(prompt, { model, attachments = [] } = {}) {
      if (model !== undefined) session.choices.chooseModel(model);
      return driven.send(prompt, attachments);
    },
    stop: () => session.stop(),
    files: () => Object.fromEntries(memory.files),
    pending: () =>
      session.patches.changes.pending.flatMap(({ change, hunks, calls }) =>
        hunks.map(({ id }) => ({ id, calls, path: nameAfter(change).path })),
      ),
    accept: driven.accept,
    reject: driven.reject,
    close: driven.close,
  };
}

/** The same with the checks of a person, on a real folder that is written to. */
export const liveSession = (root: string, options: LiveOptions): LiveSession =>
  openLiveSession(root, options);

// The page.

/**
 * Builds one static HTML file with the page's own policy, styles and renderer, and answers where it lies:
 * window.render(markdown) draws in one shot, window.stream(markdown, step) in deltas of `step` characters.
 */
export async function renderPage(file?: string): Promise<string> {
  const { buildRenderPage } = await import("./render-page.ts");
  return buildRenderPage(file);
}
