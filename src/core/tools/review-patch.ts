// A patch from text to files: planned on the files as they are, shown, decided by a person, planned again, and only
// then carried out – all of it or the chosen hunks, as one step. The model hears exactly what became of it.
import type { Decision } from "../conversation/decision.ts";
import type { PatchHunk } from "../conversation/tool-use.ts";
import { answerAll, answerPart } from "../patch/answer.ts";
import type { FileChange, FileName, Plan } from "../patch/model.ts";
import { PatchError } from "../patch/patch-error.ts";
import { planPatch } from "../patch/plan.ts";
import { breathe } from "../util/breathe.ts";
import type { Applied } from "../workspace.ts";
import { pathOf } from "./locate.ts";
import { viewPlan } from "./patch-view.ts";
import { patchWorkspace } from "./patch-workspace.ts";
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
  const plan = () => planPatch(patch, world, { complete: true });
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
      for (; isSamePlan(shown, now) && round < mostRounds && !desk.mustWarn; round++) {
        desk.lay(now);
        const done = await desk.carryOut(decision);
        if (done !== undefined) return done;
        now = await plan();
      }
      shown = now;
    }
    throw new Refusal("The files kept changing while the patch was reviewed. Nothing was changed.");
  } catch (error) {
    if (error instanceof PatchError) return await desk.fail(error.message, error.forModel);
    throw error;
  }
}

/** Requirements F9, F10: also where patches are applied by themselves, some things are always asked. */
const needsReview = ({ changes }: Plan, { permission }: CallContext): boolean =>
  permission === "ask" ||
  changes.some((change) => change.kind === "delete" || change.permission.verdict === "confirm");

/** One patch on the table: what lies there, and what is said about it. */
class Desk {
  readonly #context: CallContext;
  #plan: Plan = { patchSha256: "", changes: [] };
  /** Why what is about to change could not be kept: a person decides whether that matters (faults, row 103). */
  #warning: string | undefined;
  #isWarned = false;

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** There is something that a person has to hear before it goes on. */
  get mustWarn(): boolean {
    return this.#warning !== undefined && !this.#isWarned;
  }

  lay(plan: Plan): void {
    this.#plan = plan;
    this.#context.proposals.set(this.#context.call, { plan, applied: [] });
  }

  /** `undefined` when the turn was stopped. */
  async ask(again: boolean, signal: AbortSignal): Promise<Decision | undefined> {
    const answer = this.#context.ask();
    const changed = again ? "The files have changed meanwhile; please look again." : undefined;
    const message = this.#warning ?? changed;
    this.#isWarned = this.#warning !== undefined;
    await this.#show("proposed", () => "pending", { message });
    try {
      return await answer;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  async reject(reason: string | undefined): Promise<ToolResult> {
    this.#context.proposals.delete(this.#context.call);
    const output = `The user rejected this patch. Nothing was changed.${quoted(reason)}`;
    await this.#show("rejected", () => "rejected", { output });
    return { output };
  }

  async fail(message: string, output: string): Promise<ToolResult> {
    this.#context.proposals.delete(this.#context.call);
    await this.#show("failed", () => "failed", { message, output });
    return { output };
  }

  /** `undefined` when the files are no longer what was looked at. */
  async carryOut(decision: Exclude<Decision, { kind: "reject" }>): Promise<ToolResult | undefined> {
    const taken = takePart(this.#plan, decision, this.#nameOf);
    const reason = "reason" in decision ? decision.reason : undefined;
    if (taken.changes.length === 0) return this.reject(reason);
    const kept = await this.#keep(taken.changes);
    if (kept === "unkept") return undefined;
    await this.#show("applying", (hunk) => (taken.hasNamed(hunk) ? "pending" : "rejected"), {});
    const applied = await this.#apply(taken.changes);
    if (kept !== undefined)
      await this.#context.kept?.settle(kept, applied.outcome === "applied" ? "done" : "refused");
    if (applied.outcome === "stale") return undefined;
    if (applied.outcome === "refused")
      return this.fail(
        applied.why,
        `The editor did not apply the patch: ${applied.why} Nothing was changed.`,
      );
    return this.#done(taken, reason);
  }

  /** The checkpoint; `undefined` where there is none and none is missed. */
  async #keep(changes: readonly FileChange[]): Promise<string | "unkept" | undefined> {
    const { kept, turn, call } = this.#context;
    const done = await kept?.keep({ turn, call, changes });
    if (done === undefined || done.kept) return done?.checkpoint;
    if (this.#isWarned) return undefined;
    this.#warning = `What these files are now could not be kept, so the edits cannot be taken back later: ${done.reason.message}`;
    return "unkept";
  }

  async #apply(changes: readonly FileChange[]): Promise<Applied> {
    const paths = changes.map(({ file }) => this.#nameOf(file)).join(", ");
    return this.#context.workspace.apply(changes, `Patchbay: ${paths}`);
  }

  async #done(taken: Taken, reason: string | undefined): Promise<ToolResult> {
    const { call, proposals } = this.#context;
    proposals.set(call, { plan: this.#plan, applied: taken.changes });
    const output = taken.isAll
      ? answerAll(taken.changes, this.#nameOf)
      : `${answerPart(this.#plan.changes, this.#nameOf, taken.has)}${quoted(reason)}`;
    await this.#show("applied", (hunk) => (taken.hasNamed(hunk) ? "applied" : "rejected"), { output });
    return { output };
  }

  readonly #nameOf = (file: FileName): string => pathOf(file, this.#context.workspace.folders);

  async #show(
    status: PatchShown["status"],
    fateOf: (hunk: string) => PatchHunk["status"],
    more: Pick<PatchShown, "message" | "output">,
  ): Promise<void> {
    await breathe();
    const files = viewPlan(this.#plan.changes, this.#nameOf, fateOf);
    return this.#context.show({ status, files, ...more });
  }
}

const quoted = (reason: string | undefined): string =>
  reason === undefined || reason.trim() === "" ? "" : ` They said: ${reason}`;
