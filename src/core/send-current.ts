// An edit that fitted when it was proposed and fits no more: the model is told, in a question of its own, what the files
// of that patch hold now.
import type { Assistant } from "./assistant.ts";

const prompt =
  "The files have changed since you proposed this edit. What they hold now is attached: please look again, and propose the edit anew if it is still needed.";

export function sendCurrent(
  { conversation, send }: Pick<Assistant, "conversation" | "send">,
  call: string,
): Promise<unknown> | undefined {
  const parts = conversation.turns.flatMap((turn) => turn.parts);
  const patch = parts.find((part) => part.type === "patch" && part.call === call);
  if (patch?.type !== "patch" || patch.files.length === 0) return undefined;
  return send({ prompt, attachments: patch.files.map(({ path }) => ({ kind: "file", path })) });
}
