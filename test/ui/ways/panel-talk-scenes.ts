// The second half: the ways an answer can end, what the service refuses, what waits.
import assert from "node:assert/strict";
import { cutAfterEvents, holdBefore, resetBeforeHeaders } from "../../sim/delivery-faults.ts";
import { status } from "../../sim/http-answers.ts";
import { failed, incomplete, refusal, text } from "../../sim/script.ts";
import type { Simulator } from "../../sim/simulator.ts";
import { insist } from "../support/insist.ts";
import type { VsCode } from "../support/vscode.ts";
import { gibberish, longQuestion, nothing } from "./panel-answers.ts";
import type { Hand } from "./panel-hand.ts";

export async function waysToEnd(
  { page, chat, transcript }: VsCode,
  sim: Simulator,
  { press, pressBelow, ask, says, send, stop }: Hand,
): Promise<void> {
  sim.reply(text("Once upon"), incomplete());
  await ask("Tell me a tale.");
  await says("The response reached the output limit.");
  sim.reply(text("a time"), incomplete());
  await press("Continue");
  await says("a time");
  sim.reply(text("there was a king who"), cutAfterEvents(8));
  await press("Raise the Limit");
  await says("The connection ended before the reply was complete.");
  await pressBelow(/^Model: .*Up to 262,144 tokens/);
  await chat.getByRole("menuitem", { name: "Output limit… 262,144 tokens" }).waitFor();
  for (const key of ["o", "Enter"]) await page.keyboard.press(key);
  await page.locator(".quick-input-widget input:focus").waitFor();
  await page.keyboard.press("Escape");
  sim.reply(failed("Out of tales."));
  await press("Try Again");
  await says("The service could not finish the reply: Out of tales.");
  sim.reply(refusal("No more tales."));
  await press("Try Again");
  await says("The model declined to respond");
  sim.reply(nothing);
  await ask("Please.");
  await says("The service returned an empty response.");
  sim.reply(status(429, { retryAfter: 3600 }));
  await press("Try Again");
  await says("The service asks to wait");
  sim.reply(status(429, { retryAfter: 60 }));
  await press("Try Again");
  await says("Retrying in");
  await stop();
  await transcript.locator(".ending .card").last().getByText("Stopped", { exact: true }).waitFor();
  for (let times = 0; times < 3; times += 1) sim.fault(resetBeforeHeaders());
  await press("Try Again");
  await says("Can't reach");
  await transcript.getByRole("button", { name: "Check Connection" }).waitFor();
  sim.reply(gibberish);
  await press("Try Again");
  await says("The response couldn't be understood. It may still have been billed.");
  sim.reply(status(413));
  await press("Try Again");
  await says("The request is too large for the service (413");
  await ask(longQuestion);
  await press("Keep as Draft");
  await chat.getByRole("button", { name: "Keep as Draft" }).waitFor({ state: "detached" });
  sim.reply(text("That was long."));
  await send();
  await press("Send Anyway");
  await says("That was long.");
  await press("Show all");
  // Who follows stays at the end of what has grown; who goes up from there is shown the way back.
  const toEnd = /^(Go to end|New text)$/;
  await insist(() => page.keyboard.press("PageUp"), chat.getByRole("button", { name: toEnd }));
  await press(toEnd);
}

/** After an answer with reasoning in it. */
export async function whatIsRefused(
  { chat, transcript }: VsCode,
  sim: Simulator,
  { press, pressBelow, mention, write, send, ask, askInOtherWords, says }: Hand,
): Promise<void> {
  const sent = () => JSON.stringify(sim.requests.at(-1)?.body);
  sim.reply(status(400, { message: "These items are of another key." }));
  await mention("cart", /cart\.ts/);
  await write("What is wrong with it?");
  // What is attached may only just have been read: then it was the draft before that was counted.
  const counted = chat.getByRole("button", { name: /counted by the service/ });
  await insist(() => pressBelow(/estimate|counted by the service/), counted);
  await send();
  await says("The service refused the request (400): These items are of another key.");
  assert.match(sent(), /"type":"reasoning"/);
  sim.reply(status(400, { message: "Nor is this file wanted." }));
  await press("Resend Without Earlier Reasoning");
  await says("Nor is this file wanted.");
  assert.doesNotMatch(sent(), /"type":"reasoning"/);
  assert.match(sent(), /src\/cart\.ts/);
  sim.reply(text("Nothing is."));
  await press("Remove Attachments");
  await says("Nothing is.");
  assert.equal(await transcript.getByRole("button", { name: /cart\.ts/ }).count(), 0);
  sim.reply(status(400, { message: "prompt_cache_breakpoint is unsupported." }));
  await ask("What is prompt_cache_breakpoint?");
  await says("Remove it or the attachment that contains it.");
  sim.reply(text("A mark."));
  await press("Edit and resend");
  await askInOtherWords("What is a mark?");
  await says("A mark.");
}

export async function whatWaits({ chat }: VsCode, sim: Simulator, hand: Hand): Promise<void> {
  const held = holdBefore(6);
  sim.reply(text("Held for a while, then told."), held);
  await hand.ask("Slowly, please.");
  await hand.says("Held");
  const third = chat.getByRole("button", { name: "Remove from queue: And a third one?" });
  for (const question of ["And a second one?", "And a third one?"]) {
    await hand.lineUp(question);
    await chat.getByRole("button", { name: `Remove from queue: ${question}` }).waitFor();
  }
  await hand.press("Remove from queue: And a third one?");
  await third.waitFor({ state: "detached" });
  sim.reply(text("The second answer."));
  held.release();
  await hand.says("The second answer.");
}
