// One turn, ordinary but for what is said of it.
import type { Turn } from "../../../../src/conversation/state.ts";

export const at = Date.UTC(2026, 0, 15, 9, 41);

export function turn(id: string, changes: Partial<Turn> = {}): Turn {
  return {
    id,
    at,
    model: "svc-k3",
    route: "responses",
    prompt: `Question ${id}`,
    attachments: [],
    continues: false,
    parts: [{ type: "text", id: "t", text: `Answer ${id}` }],
    status: "done",
    usage: [],
    receipts: [],
    endedAt: at + 14_000,
    ...changes,
  };
}
