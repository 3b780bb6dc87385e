// Handles the refusals of one operation: what a refusal is about is omitted or changed (adapt-request.ts), and the
// request is sent again. What helped is then known for the origin (capabilities.ts); if the refusal did not say what it
// was about, only after it has helped a second time. Sends nothing itself.

import { message } from "../../conversation/messages.ts";
import { present } from "../../util/present.ts";
import {
  type Capabilities,
  type Guess,
  minimal,
  type Route,
  strictestOf,
  withGuess,
  withoutGuesses,
} from "../capabilities.ts";
import type { ReplyEvent } from "../reply.ts";
import { type Adaptation, adapt } from "./adapt-request.ts";
import type { Call } from "./call.ts";
import { features, type RequestFeatures } from "./dialect.ts";
import { errorClass, type Fault, isRequestFault, type ServiceError } from "./fault.ts";

/**
 * Whether the refusal may concern anything that the interface does not show, because it consists only of words that
 * every refusal contains. One that names anything (a filter, a position, an ID, a role, a limit) explains itself.
 */
export function isUnexplained(
  words: ServiceError | undefined,
  { unshown, shapes }: RequestFeatures,
): boolean {
  if (unshown.length === 0) return false;
  if (words === undefined) return true;
  if (errorClass(words, 400) !== undefined || words.param !== undefined) return false;
  const about =
    shapes.includes(features.patch.shape) || shapes.includes(features.namespaces.shape) ? ofTools : nothing;
  return [words.message, words.type, words.code].every((text) => isGeneric(text ?? "", about));
}

function isGeneric(text: string, also: ReadonlySet<string>): boolean {
  const said = text
    .slice(0, maxText)
    .replace(requestId, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(chinese, " ");
  const tokens = said.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    text.length <= maxText && tokens.every((word) => generic.has(word) || also.has(word) || isStatus(word))
  );
}

const maxText = 400;

/** Gateways append their own request ID to the words of others. */
const requestId = /\(?\b(?:request|trace|log)[ _-]?id\b\s{0,3}[:=]?\s{0,3}[\w-]{1,80}\)?/gi;

const isStatus = (word: string): boolean => /^(?:400|422)$/.test(word);

const nothing: ReadonlySet<string> = new Set();
const ofTools: ReadonlySet<string> = new Set([
  "tool",
  "tools",
  "function",
  "functions",
  "definition",
  "definitions",
]);

const generic: ReadonlySet<string> = new Set(
  `a an the is was are be been has have had this that it its in of to for with from by and or as at on
  not no non your our you we i please check verify see sorry some something went one more
  bad invalid malformed incorrect wrong illegal improper unprocessable unacceptable unknown unsupported
  error errors err exception failed failure fail fails occurred happened
  request requests body payload entity json schema validation validate validated parse parsed parsing syntax format
  formatted parameter parameters param params argument arguments field fields property properties value values
  http https status code message detail details type client api server service upstream downstream provider gateway
  proxy backend endpoint returned response respond responded received got sent contains contain
  could can cannot couldn can t unable does did do processed process processing handled handle understood understand
  accept accepted supported allowed try again`.split(/\s+/),
);

const chinese =
  /请求|参数|错误|无效|非法|格式|不正确|不合法|不支持|有误|异常|失败|校验|解析|无法|检查|的|体|或|和|请|后|重试|上游|服务|接口|返回|，|。|：/g;

/** Enough for every optional field and tool shape to be refused once. */
const maxAdaptations = 12;

/** After this long the full form is tried again, however often the plainer one has helped. */
const heldFor = 15 * 60_000;
const confirmedFor = 7 * 24 * 3_600_000;

interface Trial {
  readonly about: Guess["about"];
  readonly unshown: readonly string[];
  /** What was known about the request's form before the trial. */
  readonly before: Capabilities;
}

type Deps = Pick<Call, "capabilities" | "address" | "probes" | "clock">;

export class AdaptedRetry {
  readonly #call: Deps;
  readonly #route: Route;
  #adaptations = 0;
  /** The form of the next request, if it differs from what is known about the origin. */
  #form: Capabilities | undefined;
  /** Earlier guesses that are not followed this time. */
  #doubted: readonly Guess[] = [];
  #trial: Trial | undefined;
  /** What is omitted this time only and not learned. */
  readonly #once: string[] = [];
  /** The refusal that led to the last change. */
  #refusal = "";

  constructor(call: Deps, route: Route) {
    this.#call = call;
    this.#route = route;
  }

  /** The form of the next request. */
  async found(): Promise<Capabilities> {
    if (this.#form !== undefined) return this.#form;
    const known = await this.#known();
    if (this.#call.probes === true) return known;
    const now = this.#call.clock.now();
    this.#doubted = known.guesses.filter((guess) => this.#concerns(guess) && isDue(guess, now));
    if (this.#doubted.length === 0) return known;
    this.#form = withoutGuesses(known, this.#doubted);
    return this.#form;
  }

  /** The request was accepted as sent. Returns events for what is changed permanently. */
  async answered({ unshown, values, shapes }: RequestFeatures): Promise<readonly ReplyEvent[]> {
    const { capabilities } = this.#call;
    capabilities.settle(this.#origin, unshown);
    const events = await this.#learn(shapes);
    const effort = values.find(({ path }) => path === "reasoning.effort")?.value;
    if (effort !== undefined) await capabilities.learnEffort(this.#origin, effort);
    return events;
  }

  /** Returns `undefined` when no other form is worth trying, otherwise events that describe the change. */
  async refused(
    fault: Fault,
    offered: RequestFeatures,
    found: Capabilities,
  ): Promise<readonly ReplyEvent[] | undefined> {
    if (fault.at !== "status" || !mayTeach(fault)) return undefined;
    const { capabilities, probes } = this.#call;
    if (probes !== true && this.#adaptations < maxAdaptations) {
      this.#adaptations++;
      const refusal = JSON.stringify(fault.words);
      // It is now refused for another reason, so the last change helped.
      if (this.#form !== undefined && this.#trial === undefined && this.#isNew(refusal))
        await capabilities.learn(this.#origin, strictestOf(await this.#known(), this.#lasting(this.#form)));
      this.#refusal = refusal;
      const adaptation = adapt(fault.words, offered, found);
      if (adaptation !== undefined) return this.#adapted(adaptation, offered, found);
      const { unshown, optional } = offered;
      // A web page comes from a gateway, not from the service itself.
      const isPlain = fault.status === 400 || fault.status === 422;
      const isOpen = isPlain && fault.page !== true && isUnexplained(fault.words, offered);
      if (this.#trial === undefined && isOpen && !capabilities.isSettled(this.#origin, unshown)) {
        const left = unshown.filter((name) => optional.includes(name));
        this.#trial = { about: this.#route, unshown, before: found };
        this.#form = minimal(this.#route, found, left);
        return [];
      }
    }
    if (this.#trial !== undefined) await this.#inVain(this.#trial);
    return undefined;
  }

  #adapted(adaptation: Adaptation, { unshown }: RequestFeatures, found: Capabilities): readonly ReplyEvent[] {
    const { field, note, isGuess, once } = adaptation;
    if (once !== undefined) this.#once.push(once);
    if (isGuess === true) this.#trial ??= { about: "results", unshown, before: found };
    this.#form = adaptation.found;
    return [{ type: "note", field, notes: [note] }];
  }

  /** Rereads what is known, because another request may have learned something since this one was made. */
  async #learn(shapes: RequestFeatures["shapes"]): Promise<readonly ReplyEvent[]> {
    const { capabilities } = this.#call;
    const form = this.#form && this.#lasting(this.#form);
    const trial = this.#trial;
    const doubted = this.#doubted.filter(({ about }) => about !== trial?.about);
    const isAgain = doubted.length < this.#doubted.length;
    this.#form = undefined;
    this.#trial = undefined;
    this.#doubted = [];
    if (form === undefined) return [];
    const known = await this.#known();
    // If no result was sent, nothing is known about how results are accepted.
    const refuted = doubted.filter(
      ({ about }) => about !== "results" || shapes.includes(features.customOutput.shape),
    );
    const after = trial === undefined ? form : this.#guessed(form, trial, known, isAgain);
    const { detected, ...before } = withoutGuesses(known, refuted);
    // Feature detection is outdated once a plainer form has helped.
    const stands = trial === undefined ? present({ ...before, detected }) : before;
    await capabilities.learn(this.#origin, strictestOf(stands, after));
    if (trial?.about === "results") return [];
    const about = trial?.unshown.join(", ") ?? this.#route;
    if (trial !== undefined) {
      const isKept = after.guesses.some((each) => each.about === trial.about && each.state === "confirmed");
      return [{ type: "note", field: about, notes: [message(isKept ? "notePlain" : "notePlainForNow")] }];
    }
    return refuted.some((each) => each.about === this.#route && each.state !== "suspected")
      ? [{ type: "note", field: about, notes: [message("noteFull")] }]
      : [];
  }

  /** The first time, the guess holds for this window; if it helped before, it is confirmed. */
  #guessed(
    form: Capabilities,
    { about, before }: Trial,
    known: Capabilities,
    isAgain: boolean,
  ): Capabilities {
    const isSuspected = known.guesses.some((each) => each.about === about && each.state === "suspected");
    const state = isAgain || isSuspected ? "confirmed" : "held";
    return withGuess(before, form, { about, state, at: this.#call.clock.now() });
  }

  /**
   * The plainer form was refused as well, so the cause was something else; an earlier guess waits for its next trial.
   */
  async #inVain({ about, unshown }: Trial): Promise<void> {
    const { capabilities, clock } = this.#call;
    capabilities.settle(this.#origin, unshown);
    const known = await this.#known();
    if (!known.guesses.some((guess) => guess.about === about)) return;
    const guesses = known.guesses.map((guess) =>
      guess.about === about ? { ...guess, at: clock.now() } : guess,
    );
    await capabilities.learn(this.#origin, { ...known, guesses });
  }

  /** Without what applies to this request only. */
  #lasting({ pictures: _, ...form }: Capabilities): Capabilities {
    return { ...form, refused: form.refused.filter((name) => !this.#once.includes(name)) };
  }

  #isNew = (refusal: string): boolean => this.#refusal !== "" && refusal !== this.#refusal;

  #concerns({ about }: Guess): boolean {
    return about === this.#route || (about === "results" && this.#route === "responses");
  }

  #known(): Promise<Capabilities> {
    return this.#call.capabilities.of(this.#origin);
  }

  get #origin(): string {
    return this.#call.address.origin;
  }
}

/** Some services refuse unknown parts with another status; their words show it. */
const mayTeach = ({ status, words }: Extract<Fault, { at: "status" }>): boolean =>
  status === 400 ||
  status === 422 ||
  ([404, 415, 500, 501].includes(status) && words !== undefined && isRequestFault(words));

const isDue = ({ state, at }: Guess, now: number): boolean =>
  state === "suspected" || now - at > (state === "held" ? heldFor : confirmedFor);
