// A patch from text to files: planned on the files as they are, shown, decided by a person, planned again, and only
// then carried out – all of it or the chosen hunks, as one step. The model hears exactly what became of it.

import type { Decision } from "../conversation/decision.ts";
import type { PatchHunk } from "../conversation/tool-use.ts";
import { inEnglish } from "../messages/english.ts";
import { type Message, message } from "../messages/message.ts";
import { answerAll, answerPart } from "../patch/answer.ts";
import type { Base, FileChange, FileName, Plan } from "../patch/model.ts";
import { PatchError } from "../patch/patch-error.ts";
import { planPatch } from "../patch/plan.ts";
import { type LeftOut, type PartPlan, planPart } from "../patch/plan-part.ts";
import { breathe } from "../util/breathe.ts";
import { present } from "../util/present.ts";
import type { Applied } from "../workspace.ts";
import { amend, printAmended } from "./amend.ts";
import { formatNoteOfAll } from "./format-notes.ts";
import { leftOutNote, tellOfLeftOut, withLeftOut } from "./left-out.ts";
import { pathOf } from "./locate.ts";
import { hasHunks, viewPlan } from "./patch-view.ts";
import { patchWorkspace } from "./patch-workspace.ts";
import { quotable, quotableError } from "./quotable.ts";
import { Refusal } from "./refusal.ts";
import { isSamePlan } from "./same-plan.ts";
import { type Taken, takePart } from "./taken.ts";
import type { CallContext, PatchShown, ToolResult } from "./tool.ts";

/** Longer than any honest race between typing and deciding. */
const mostRounds = 20;

const accept: Decision = { kind: "accept" };
const stopped = "The user stopped the turn before deciding about this patch. Nothing was changed.";

export async function reviewPatch(
  patch: string,
  context: CallContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  const world = patchWorkspace(context.workspace, context.files, context.protection);
  const plan = async (): Promise<PartPlan> =>
    context.atomic
      ? { plan: await planPatch(patch, world, { complete: true }), leftOut: [] }
      : planPart(patch, world, { complete: true });
  const desk = new Desk(context);
  try {
    let shown = await plan();
    // Goes round while the files change between looking and deciding: nobody agrees to what they have not seen.
    for (let round = 0; round < mostRounds; round++) {
      desk.lay(shown);
      const asks = desk.mustWarn || needsReview(shown, context);
      const decision = asks ? await desk.ask(round > 0, signal) : accept;
      if (decision === undefined || signal.aborted) return { output: stopped };
      if (decision.kind === "reject") return await desk.reject(decision.reason);
      let now = await plan();
      for (; isSamePlan(shown.plan, now.plan) && round < mostRounds && !desk.mustWarn; round++) {
        desk.move(now);
        const done = await desk.carryOut(decision);
        if (done !== undefined) return done;
        now = await plan();
        // Words of a person's own fit the texts that they were written for, or are shown to them once more.
        if (desk.isEdited) break;
      }
      shown = now;
    }
    throw new Refusal(message("toolPatchMoving"));
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    const { said, forModel } = await quotableError(error);
    return await desk.fail(said, forModel);
  }
}

/** Requirements F9, F10: also where patches are applied by themselves, some things are always asked. */
const needsReview = ({ plan: { changes }, leftOut }: PartPlan, { permission }: CallContext): boolean =>
  permission === "ask" ||
  leftOut.length > 0 ||
  changes.some((change) => change.kind === "delete" || change.permission.verdict === "confirm");

/** One patch on the table: what lies there, and what is said about it. */
class Desk {
  readonly #context: CallContext;
  #plan: Plan = { patchSha256: "", notes: [], changes: [] };
  #leftOut: readonly LeftOut[] = [];
  /** Why what is about to change could not be kept: a person decides whether that matters (faults, row 103). */
  #warning: Message | undefined;
  #isWarned = false;
  /** Texts that the person has written in the place of proposed ones, with what they were written for. */
  #edited = new Map<string, string>();
  #editedOn: readonly FileChange[] = [];
  /** What may be shown of each text: a card is part of the conversation, and goes wherever that goes. */
  readonly #quotable = new Map<string, string>();

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** There is something that a person has to hear before it goes on. */
  get mustWarn(): boolean {
    return this.#warning !== undefined && !this.#isWarned;
  }

  get isEdited(): boolean {
    return this.#edited.size > 0;
  }

  lay({ plan, leftOut }: PartPlan): void {
    // Words that were written for other texts say nothing about these.
    if (!isSamePlan(this.#plan, plan) || textsOf(this.#plan) !== textsOf(plan)) this.#edited = new Map();
    this.#plan = plan;
    this.#leftOut = leftOut;
    this.#editedOn = plan.changes;
    this.#context.proposals.set(this.#context.call, { plan, applied: [], edited: this.#edited });
  }

  /** The same plan, on texts that have grown elsewhere since it was shown. */
  move({ plan, leftOut }: PartPlan): void {
    this.#plan = plan;
    this.#leftOut = leftOut;
    this.#context.proposals.set(this.#context.call, { plan, applied: [], edited: this.#edited });
  }

  /** `undefined` when the turn was stopped. */
  async ask(again: boolean, signal: AbortSignal): Promise<Decision | undefined> {
    const changed = again ? message("patchStale") : undefined;
    let said = this.#warning ?? changed ?? this.#note();
    this.#isWarned = this.#warning !== undefined;
    for (;;) {
      const answer = this.#context.ask();
      await this.#show("proposed", () => "pending", present({ message: said }));
      const decision = await answer.catch((error: unknown) => {
        if (signal.aborted) return undefined;
        throw error;
      });
      const divided = decision?.kind === "partly" ? this.#dividedBy(decision) : undefined;
      if (divided === undefined) return decision;
      said = message("patchDivided", { names: divided });
    }
  }

  /** A file that was edited, and of which only some hunks were chosen: nobody has seen what that would be. */
  #dividedBy(decision: Exclude<Decision, { kind: "reject" }>): string | undefined {
    const taken = takePart(this.#plan, decision, this.#nameOf);
    return this.#plan.changes
      .filter(({ file }) => this.#edited.has(this.#nameOf(file)))
      .find((change) => {
        const fates = hasHunks(change) ? change.hunks.map((_, hunk) => taken.has(change, hunk)) : [];
        return new Set(fates).size > 1;
      })?.file.path;
  }

  /** What is missing comes first. */
  #note(): Message | undefined {
    return leftOutNote(this.#leftOut) ?? formatNoteOfAll(this.#plan);
  }

  async reject(reason: string | undefined): Promise<ToolResult> {
    this.#context.proposals.delete(this.#context.call);
    const output = `The user rejected this patch. Nothing was changed.${quoted(reason)}`;
    await this.#show("rejected", () => "rejected", { output });
    return { output };
  }

  async fail(said: Message, output: string): Promise<ToolResult> {
    this.#context.proposals.delete(this.#context.call);
    await this.#show("failed", () => "failed", { message: said, output });
    return { output };
  }

  /** `undefined` when the files are no longer what was looked at. */
  async carryOut(decision: Exclude<Decision, { kind: "reject" }>): Promise<ToolResult | undefined> {
    const taken = takePart(this.#plan, decision, this.#nameOf);
    const reason = "reason" in decision ? decision.reason : undefined;
    if (taken.changes.length === 0) return this.reject(reason);
    const changes = taken.changes.map(this.#amended);
    const kept = await this.#keep(changes);
    if (kept === "unkept") return undefined;
    await this.#show("applying", (hunk) => (taken.hasNamed(hunk) ? "pending" : "rejected"), {});
    const applied = await this.#apply(changes);
    if (kept !== undefined)
      await this.#context.kept?.settle(kept, applied.outcome === "applied" ? "done" : "refused");
    if (applied.outcome === "stale") return undefined;
    if (applied.outcome === "declined") return this.reject(reason);
    if (applied.outcome === "refused") {
      const rest = applied.halfDone === true ? "" : " Nothing was changed.";
      return this.fail(applied.why, `The editor did not apply the patch: ${inEnglish(applied.why)}${rest}`);
    }
    return this.#done(taken, changes, reason);
  }

  /** The checkpoint; `undefined` where there is none and none is missed. */
  async #keep(changes: readonly FileChange[]): Promise<string | "unkept" | undefined> {
    const { kept, turn, call } = this.#context;
    const done = await kept?.keep({ turn, call, changes });
    if (done === undefined || done.kept) return done?.checkpoint;
    if (this.#isWarned) return undefined;
    this.#warning = message("patchUnkept", { why: done.reason });
    return "unkept";
  }

  async #apply(changes: readonly FileChange[]): Promise<Applied> {
    const paths = changes.map(({ file }) => this.#nameOf(file)).join(", ");
    return this.#context.workspace.apply(changes, `Patchbay: ${paths}`);
  }

  /** In the person's words, on the text that they had before them; what was typed since is found at the last moment. */
  readonly #amended = (change: FileChange): FileChange => {
    const name = this.#nameOf(change.file);
    const text = this.#edited.get(name);
    const shown = this.#editedOn.find(({ file }) => this.#nameOf(file) === name);
    return text === undefined || shown === undefined ? change : amend(shown, text);
  };

  async #done(taken: Taken, applied: readonly FileChange[], reason: string | undefined): Promise<ToolResult> {
    const { call, proposals } = this.#context;
    proposals.set(call, { plan: this.#plan, applied, edited: this.#edited });
    const answer = taken.isAll
      ? answerAll(taken.changes, this.#nameOf)
      : `${await answerPart(this.#plan.changes, this.#nameOf, taken.has, quotable)}${quoted(reason)}`;
    const edited = taken.changes.filter(({ file }) => this.#edited.has(this.#nameOf(file)));
    const told = await Promise.all(edited.map(this.#told));
    const output = [answer, ...told, ...(await tellOfLeftOut(this.#leftOut))].join("\n");
    const names = edited.map(({ file }) => this.#nameOf(file)).join(", ");
    const said = names === "" ? this.#note() : message("patchEdited", { names });
    await this.#show("applied", (hunk) => (taken.hasNamed(hunk) ? "applied" : "rejected"), {
      output,
      ...present({ message: said }),
    });
    return { output };
  }

  readonly #told = async (change: FileChange): Promise<string> => {
    const name = this.#nameOf(change.file);
    const difference = await printAmended(change, this.#edited.get(name) ?? "", this.#nameOf);
    return `The user edited ${name} before accepting it. What they changed in your proposal:\n${difference}`;
  };

  readonly #nameOf = (file: FileName): string => pathOf(file, this.#context.workspace.folders);

  async #show(
    status: PatchShown["status"],
    fateOf: (hunk: string) => PatchHunk["status"],
    more: Pick<PatchShown, "message" | "output">,
  ): Promise<void> {
    await breathe();
    for (const change of this.#plan.changes.filter(hasHunks)) await this.#clean(change.base);
    const textOf = (base: Base) => this.#quotable.get(base.sha256) ?? "";
    const files = withLeftOut(viewPlan(this.#plan, this.#nameOf, fateOf, textOf), this.#leftOut);
    return this.#context.show({ status, files, ...more });
  }

  async #clean({ sha256, text }: Base): Promise<void> {
    if (!this.#quotable.has(sha256)) this.#quotable.set(sha256, await quotable(text));
  }
}

const textsOf = ({ changes }: Plan): string =>
  changes.map((change) => ("base" in change ? change.base.sha256 : "")).join();

const quoted = (reason: string | undefined): string =>
  reason === undefined || reason.trim() === "" ? "" : ` They said: ${reason}`;
