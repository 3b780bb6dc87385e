// Several tries at one question, as a page shows them and acts on them.
import type { Handlers } from "../../bridge/page-connection.ts";
import type { TryAction } from "../../bridge/protocol.ts";
import type { TrialView, ViewState } from "../../bridge/view-state.ts";
import type { Session } from "../../session/session.ts";
import { shownPrompt } from "../../session/slash-commands.ts";
import { candidatesOf, trialWays } from "../../trials/candidate.ts";
import type { SessionTrials } from "../../trials/session-trials.ts";
import { present } from "../../util/present.ts";

interface PageTrialsDeps {
  /** Absent: nothing can be tried here. */
  readonly trials: SessionTrials | undefined;
  session(): Session;
  /** The page is moving to another conversation: what it asks of this one comes too late. */
  isMoving(): boolean;
  /** Shows a candidate's changes or its response, or asks about checks of it that wait. */
  actOnTry(session: Session, action: TryAction, candidate: number): void;
  inBackground(work: Promise<unknown>, sentence: string): void;
}

type TrialHandlers = Pick<Handlers, "try-ways" | "try-turn" | "choose-trial-way" | "act-on-trial">;

export function trialHandlers(deps: PageTrialsDeps): TrialHandlers {
  const { trials, session, isMoving, inBackground } = deps;
  const work = (doing: Promise<unknown> | undefined) => {
    if (doing !== undefined) inBackground(doing, "Tries at a question have failed.");
  };
  return {
    "try-ways"({ prompt, command }, page) {
      const taken = () => page.post({ type: "taken", prompt });
      const proposed = isMoving()
        ? undefined
        : trials?.propose(session(), "repeat", { prompt, command }, taken);
      // As it was typed: the page waits for the question that it has sent.
      const putBack = () => page.post({ type: "put-back", text: shownPrompt(prompt, command, []) });
      if (proposed === undefined) putBack();
      else work(proposed.then((trial) => trial === undefined && putBack()));
    },
    "try-turn"({ turn }) {
      if (!isMoving()) work(trials?.propose(session(), "repeat", { turn }));
    },
    "choose-trial-way": ({ way }) => work(trials?.of(session())?.choose(way)),
    "act-on-trial"({ action, candidate, files = [] }) {
      if (trials === undefined || isMoving()) return;
      const now = session();
      const trial = trials.of(now);
      if (action === "start") work(trials.start(now));
      else if (action === "stop") trial?.stop(candidate);
      else if (action === "leave") work(trials.leave(now));
      else if (candidate === undefined) return;
      else if (action === "again") work(trials.again(now, candidate));
      else if (action !== "take") deps.actOnTry(now, action, candidate);
      else work(trials.take(now, candidate, new Map(files.map((file) => [file.path, file.candidate]))));
    },
  };
}

const labelOf = ({ choices }: Pick<Session, "choices">, model: string): string =>
  choices.models.find(({ id }) => id === model)?.label ?? model;

/** What a page shows of the tries of its conversation. */
export function trialOf(
  session: Session,
  trials: SessionTrials | undefined,
): Pick<ViewState, "trial" | "canTry"> {
  const trial = trials?.of(session);
  if (trial === undefined) {
    const isPossible = trials !== undefined && !session.isRunning && session.readOnly === undefined;
    return isPossible ? { canTry: true } : {};
  }
  const { words, way, isStarted, isRunning, hasGrown } = trial;
  const candidates = trial.candidates.map(({ model, effort, state, quote, facts }) =>
    present({ ...facts, label: labelOf(session, model), effort, state, quote }),
  );
  const ways = trialWays.filter((each) => candidatesOf(each, session.choices).length > 1);
  const view: TrialView = { words, way, ways, isStarted, isRunning, hasGrown, candidates };
  return { trial: view };
}
