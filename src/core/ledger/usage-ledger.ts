// Figures of every request, kept apart from what was said: they outlive a deleted conversation and hold no word of it.

import { join } from "node:path";
import * as z from "zod/mini";
import { RequestUsage } from "../conversation/state.ts";
import { message } from "../messages/message.ts";
import type { FileSystem } from "../store/file-system.ts";
import type { UsageRow } from "../tokens/usage-rows.ts";
import { MonthlyLines } from "./monthly-lines.ts";

const Row = z.extend(RequestUsage, {
  at: z.number(),
  conversation: z.string(),
  turn: z.string(),
  request: z.number(),
});

export const usageLedger = (fs: FileSystem, folder: string): MonthlyLines<UsageRow> =>
  new MonthlyLines({
    fs,
    folder: join(folder, "usage"),
    read: (line) => Row.safeParse(line).data,
    damaged: (lines) => message("usageDamaged", { lines }),
  });
