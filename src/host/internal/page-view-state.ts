// The state of a page, composed of what the session and its surroundings are at the moment.

import type { Preferences } from "../../bridge/preferences.ts";
import type { AttachKind, CodeColours, Starter, ViewState } from "../../bridge/view-state.ts";
import { isRepaired, mostTellingFirst, summarizeResult } from "../../checks/report.ts";
import type { CommandHost } from "../../commands/command-host.ts";
import { type Message, message } from "../../conversation/messages.ts";
import type { Problem } from "../../conversation/problem.ts";
import type { Attachment } from "../../conversation/state.ts";
import type { SetEvidence } from "../../evidence/change-evidence.ts";
import type { BreakingChanges } from "../../evidence/what-breaks.ts";
import type { Workspace } from "../../files/workspace.ts";
import type { Session } from "../../session/session.ts";
import type { OpenQuestion } from "../../session/spend-guard.ts";
import { factsOf } from "../../tools/read-attachment.ts";
import type { SessionTrials } from "../../trials/session-trials.ts";
import type { NextInputEstimate, TokenCounts } from "../../usage/token-counts.ts";
import { present } from "../../util/present.ts";
import type { ChatSurface } from "../shown-conversation.ts";
import type { ConversationTitles } from "./conversation-titles.ts";
import { evidenceState } from "./evidence-state.ts";
import { trialOf } from "./page-trials.ts";

/** What the editor offers for the next question. */
export interface EditorOffers {
  /** The file or selection that the user most likely asks about. */
  readonly suggested: Attachment | undefined;
  /** Other topics offered for a question. */
  readonly starters: readonly Starter[];
  /** Kinds that can be picked besides the problems shown by the editor. */
  readonly attachKinds: readonly AttachKind[];
}

/** What the state of a page is made of. */
export interface ViewStateDeps {
  readonly surface: Pick<ChatSurface, "before">;
  readonly workspace: Pick<Workspace, "trusted">;
  readonly settings: {
    preferences(): Preferences;
    estimateMode(): "local" | "onDemand" | "auto";
  };
  /** Why nothing can be sent, as far as is known. */
  problem(): Problem | undefined;
  /** The last trouble reported about the service, which does not prevent sending. */
  caution(): Problem | undefined;
  /** Code colours of the user's theme. */
  codeColours(): CodeColours;
  /** Notices about this window. */
  notices(): readonly Message[];
  readonly editor: EditorOffers;
  /** Several tries at one question; absent: none can be made. */
  readonly trials?: SessionTrials;
  readonly counts: TokenCounts;
  readonly titles: ConversationTitles;
  /** The check offered for the pending changes: its command, and the command together with the script it runs. */
  offeredCheck(): { readonly command: string; readonly whole: string } | undefined;
  /** What is known of the pending changes of a conversation; undefined: nothing is pending. */
  evidence(session: Session): SetEvidence | undefined;
  /** What the user allows of commands. */
  readonly commandHost?: Pick<CommandHost, "allowedFolders" | "askIn"> | undefined;
}

/** The size of the draft, and of the next request including it (requirements J8). */
function estimateOf(
  { choices: { model }, draft: { contents }, state }: Session,
  { counts }: ViewStateDeps,
  again: NextInputEstimate,
) {
  if (contents.length === 0) return undefined;
  const draft = counts.best(model, contents);
  const before = again(state.turns, model);
  return before === 0 ? draft : { ...draft, altogether: Math.round(before + draft.tokens) };
}

/** How full the model's context window would be with the next input and the draft, if the window is known. */
function windowOf(
  { choices: { model, contextWindow }, state }: Session,
  draft: number,
  again: NextInputEstimate,
) {
  const used = Math.round(again(state.turns, model) + draft);
  return contextWindow === undefined || used === 0 ? undefined : { used, size: contextWindow };
}

/** The page shows how they begin; whole, they may be long. */
const withoutTexts = ({ texts: _, ...question }: OpenQuestion): Omit<OpenQuestion, "texts"> => question;

function agentsOf(choices: Session["choices"]): ViewState["agents"] {
  const { isFixed, path, name } = choices.agent;
  const list = choices.agents.list.map((agent) =>
    present({
      id: agent.path,
      name: agent.name,
      description: agent.description,
      model: choices.modelOf(agent)?.label,
    }),
  );
  if (list.length === 0 && path === undefined) return undefined;
  const chosen = path === undefined || name === undefined ? undefined : { id: path, name };
  return { list, isFixed, ...present({ chosen }) };
}

/** Suggests nothing that is attached already. */
function suggestionFor({ draft, readOnly }: Session, attachment: Attachment | undefined) {
  if (attachment === undefined || readOnly !== undefined) return undefined;
  const text = JSON.stringify(attachment);
  if (draft.wishes.some((wish) => JSON.stringify(wish) === text)) return undefined;
  const { kind, label } = factsOf(attachment);
  return { kind, label, attachment };
}

/** Id of the chip that offers a check; `act-on-check` receives it when the chip is pressed. */
export const offeredId = "offered";

function offeredTo(session: Session, deps: Pick<ViewStateDeps, "offeredCheck">): ViewState["checks"] {
  const offer = session.patches.changes.pending.length > 0 ? deps.offeredCheck() : undefined;
  if (offer === undefined) return [];
  const why = message("checkOffered", { command: offer.whole });
  return [{ id: offeredId, name: offer.command, state: "offered", said: why, found: [], why }];
}

function breakingIn(search: BreakingChanges | undefined): ViewState["breaking"] {
  const { state, canFind = false, version = 0 } = search ?? {};
  if (state === undefined && !canFind) return undefined;
  const found = state?.kind === "found" ? state : undefined;
  return {
    isRunning: state?.kind === "running",
    canFind,
    places: (found?.places ?? []).map(({ path, line }) => present({ path, line })),
    shown: version,
    ...present({ said: state?.said, passing: found?.passing?.length, rest: found?.rest.length }),
  };
}

/** Per row. */
const maxErrors = 5;
/** Per hover. */
const maxFound = 5;
const longestFound = 300;

/** The state of a page that shows this conversation. */
export function viewStateOf(session: Session, deps: ViewStateDeps, again: NextInputEstimate): ViewState {
  const { choices, question } = session;
  const { outputLimit } = choices;
  const estimate = estimateOf(session, deps, again);
  const title = deps.titles.of(session.id);
  const window = windowOf(session, estimate?.tokens ?? 0, again);
  const { before } = deps.surface;
  const isIdle = !session.isRunning && session.readOnly === undefined;
  const cold = isIdle ? session.history.summaryOffer(choices.model) : undefined;
  return {
    model: choices.model,
    ...present({ agents: agentsOf(choices) }),
    models: choices.models.map(({ id, label, route, vision, added }) =>
      present({ id, label, route, vision, added }),
    ),
    problem: deps.problem(),
    ...present({ caution: deps.caution() }),
    notices: [...deps.notices(), session.readOnly, ...session.repaired, session.unsaved].filter(
      (each) => each !== undefined,
    ),
    ...(before !== undefined && { before: deps.titles.of(before.id) ?? before.state.turns[0]?.prompt }),
    ...(question !== undefined && { question: withoutTexts(question) }),
    readOnly: session.readOnly !== undefined,
    ...present({ takeOver: session.takeOver.state }),
    ...present({ changes: session.waiting }),
    ...present({ remarks: session.remarks.list.length || undefined }),
    ...trialOf(session, deps.trials),
    checks: [
      ...offeredTo(session, deps),
      ...mostTellingFirst(session.patches.checks?.results ?? []).map((result) => {
        const { id, name, state, findings, why } = result;
        return present({
          id,
          name,
          state,
          said: summarizeResult(result),
          isRepaired: isRepaired(result) ? (true as const) : undefined,
          found: findings.slice(0, maxFound).map(({ text }) => text.slice(0, longestFound)),
          why,
        });
      }),
    ],
    ...present({ evidence: evidenceState(deps.evidence(session), session.state.turns) }),
    ...present({ breaking: breakingIn(session.patches.breaking) }),
    newErrors: session.patches.errors.list.map(({ call, errors }) => ({
      call,
      errors: errors.slice(0, maxErrors).map(({ path, line, text }) => present({ path, line, text })),
      count: errors.length,
    })),
    countsTokens: deps.settings.estimateMode() !== "local",
    proposesCode: deps.workspace.trusted,
    preferences: deps.settings.preferences(),
    ...(title !== undefined && { title }),
    codeColours: deps.codeColours(),
    attachments: [...session.draft.attachments],
    ...present({ suggested: suggestionFor(session, deps.editor.suggested) }),
    starters: [...deps.editor.starters],
    attachKinds: ["problems", ...deps.editor.attachKinds],
    commands: session.commands.map(({ name, detail, origin }) => ({
      name,
      detail,
      ...(origin === "workspace" && { origin }),
    })),
    queue: [...session.queue],
    commandFolders: [...(deps.commandHost?.allowedFolders ?? [])],
    webSearch: choices.webSearch,
    cacheTier: choices.cacheTier,
    effort: choices.effort,
    efforts: [...choices.efforts],
    json: choices.json,
    planFirst: choices.planFirst,
    ...(outputLimit !== undefined && { outputLimit }),
    ...(estimate !== undefined && { estimate }),
    ...present({ window, cold }),
  };
}
