// Delete file: permanent, and therefore only "deleted" when the service says so of this very file. Repeating it is
// harmless, so it is repeated like everything else (architecture §13).

import * as z from "zod/mini";
import type { Problem } from "../conversation/problem.ts";
import { type Message, message } from "../messages/message.ts";
import { parseJson } from "../util/json.ts";
import { present } from "../util/present.ts";
import type { Call } from "./call.ts";
import { localProblem, toProblem } from "./fault-to-problem.ts";
import { callJson, type JsonOutcome } from "./json-call.ts";
import type { Receipt } from "./reply.ts";
import { maxRequests } from "./retry.ts";

export interface DeleteOutcome {
  /** `gone`: the answer of an earlier attempt was lost, and now the file is not there. */
  readonly status: "deleted" | "gone" | "not-found" | "failed";
  /** The service itself said that this file was not deleted; every other failure leaves it open. */
  readonly denied?: true;
  readonly problem?: Problem;
  readonly receipt?: Receipt;
}

const Result = z.object({ id: z.string(), object: z.optional(z.string()), deleted: z.boolean() });
type Result = z.infer<typeof Result>;

/** Why the id cannot be one: it becomes a single path segment and must not change the path. */
export function refuseFileId(id: string): Message | undefined {
  if (id.trim() === "") return message("fileIdEmpty");
  if (/^\.+$/.test(id)) return message("fileIdDots");
  if (id.length > 256) return message("fileIdLong");
  return /\p{Cc}/u.test(id) || !id.isWellFormed() ? message("fileIdLetters") : undefined;
}

export async function deleteFile(call: Call, id: string, signal: AbortSignal): Promise<DeleteOutcome> {
  const refusal = refuseFileId(id);
  if (refusal !== undefined) return { status: "failed", problem: localProblem("refused-locally", refusal) };
  const outcome = await callJson(
    call,
    {
      method: "DELETE",
      path: `/files/${encodeURIComponent(id)}`,
      body: undefined,
      requests: maxRequests,
      read: (status, text) => (status === 200 ? Result.safeParse(parseJson(text)).data : undefined),
    },
    signal,
  );
  const result = outcome.ok ? confirmed(call, id, outcome.value) : refused(call, outcome);
  return present({ ...result, receipt: outcome.receipt });
}

function confirmed(call: Call, id: string, result: Result): DeleteOutcome {
  if (!result.deleted) return { ...failed(message("deletedNot")), denied: true };
  if (result.id !== id) return failed(message("deletedOther"));
  if (result.object !== "file")
    call.log.warn(`The deletion result is an object of kind ${String(result.object)}`);
  return { status: "deleted" };
}

const failed = (what: Message): DeleteOutcome => ({
  status: "failed",
  problem: localProblem("protocol", what, ["retry"]),
});

function refused(call: Call, outcome: Extract<JsonOutcome<Result>, { ok: false }>): DeleteOutcome {
  const { fault, lostBefore, retryAt } = outcome;
  const host = new URL(call.address.url).host;
  const problem = toProblem(fault, { mask: call.mask, visible: false, retryAt, host });
  if (fault.at !== "status" || fault.status !== 404) return { status: "failed", problem };
  if (lostBefore) return { status: "gone" };
  return { status: "not-found", problem: { ...problem, message: message("deletedBefore"), actions: [] } };
}
