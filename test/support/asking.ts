// What a session asks its turns with, where a test asks them itself.
import type { AskOptions } from "../../src/session/internal/user-question.ts";

export const asking = (model = "svc-k3", stop = new AbortController()): AskOptions => ({
  model,
  signal: stop.signal,
});
