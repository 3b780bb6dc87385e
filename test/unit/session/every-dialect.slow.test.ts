// One conversation that does everything, with every kind of service the simulator can be: chat, tools side by side,
// patches taken in part, refused and failed, web search, an answer cut off, one that fails, another model and back,
// a question in other words, and all of it opened again.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostTool } from "../../../src/tools/tool-table.ts";
import { type ProfileName, steadyProfileNames } from "../../sim/profiles.ts";
import {
  call,
  failed,
  incomplete,
  interleaved,
  patchCall,
  reasoning,
  search,
  text,
} from "../../sim/script.ts";
import { asking } from "../../support/asking.ts";
import { english } from "../../support/english.ts";
import { assertRemembered, pictureScene, playScenes, type Scene } from "../../support/scenes.ts";
import { lastBody, reading, startTalk } from "../../support/talk.ts";

const patch = (...lines: string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const numbers = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
const twoHunks = patch(
  "*** Update File: a.ts",
  "@@",
  " line 1",
  "-line 2",
  "+LINE 2",
  " line 3",
  "@@",
  " line 17",
  "-line 18",
  "+LINE 18",
  " line 19",
);

const scenes: readonly Scene[] = [
  {
    name: "chat",
    play: async (talk) => {
      talk.sim.reply(reasoning("hm"), text("Hello."));
      await talk.ask("Hi.");
    },
    reads: ["reasoning hm", "text Hello."],
  },
  {
    name: "tools side by side",
    play: async (talk) => {
      talk.sim.reply(
        call("read_file", { path: "a.ts" }),
        call("list_files", {}),
        call("read_file", { path: "no.ts" }),
        interleaved(),
      );
      talk.sim.reply(text("Twenty lines."));
      await talk.ask("What is in a.ts?");
    },
    hears: [/20\tline 20/, /a\.ts/, /There is no .{0,2}no\.ts/],
    reads: ["read_file done", "list_files done", "read_file failed", "text Twenty lines."],
  },
  {
    name: "a tool of another extension, asked about",
    play: async (talk) => {
      talk.decide = () => ({ kind: "accept" });
      talk.sim.reply(call("forecast", { city: "Kyiv" }, { namespace: "weather" }));
      talk.sim.reply(text("Sun."));
      await talk.ask("And the weather?");
    },
    hears: [/^Sun in Kyiv\.$/],
    reads: ["weather/forecast done", "text Sun."],
  },
  {
    name: "a patch taken as a whole",
    play: async (talk) => {
      talk.sim.reply(
        patchCall(patch("*** Update File: a.ts", "@@", "-line 7", "+LINE 7", "*** Add File: b.ts", "+new")),
      );
      talk.sim.reply(text("Both."));
      await talk.ask("Whisper.");
      assert.match(talk.workspace.text("work/a.ts") ?? "", /LINE 7\n/);
      assert.equal(talk.workspace.text("work/b.ts"), "new\n");
    },
    hears: [/b\.ts/],
    reads: ["patch applied", "text Both."],
  },
  {
    name: "a patch taken in part",
    play: async (talk) => {
      talk.decide = () => undefined;
      talk.sim.reply(patchCall(twoHunks));
      talk.sim.reply(text("One of two."));
      await talk.ask("Shout.");
      const { changes } = talk.conversation;
      const [first = "", second = ""] = changes.pending.flatMap(({ hunks }) => hunks.map(({ id }) => id));
      await changes.accept([first]);
      await changes.reject([second]);
      const now = talk.workspace.text("work/a.ts") ?? "";
      assert.match(now, /LINE 2\n/);
      assert.match(now, /line 18/);
    },
    hears: [/Proposed to the user/],
    reads: ["patch applied", "text One of two."],
  },
  {
    name: "a patch refused",
    play: async (talk) => {
      talk.decide = () => ({ kind: "reject", reason: "too loud" });
      talk.sim.reply(patchCall(patch("*** Update File: a.ts", "@@", "-line 5", "+LINE 5")));
      talk.sim.reply(text("As you like."));
      await talk.ask("Shout again.");
      assert.match(lastBody(talk).raw, /a\.ts#1 was accepted and is in the files; a\.ts#2 was rejected/);
    },
    hears: [/Proposed to the user/],
    reads: ["patch rejected", "text As you like."],
  },
  {
    name: "a patch that does not fit",
    play: async (talk) => {
      talk.sim.reply(patchCall(patch("*** Update File: a.ts", "@@", "-no such line", "+x")));
      talk.sim.reply(text("I was wrong."));
      await talk.ask("Guess.");
      assert.match(lastBody(talk).raw, /all of it was rejected by the user .*The user said: too loud/);
    },
    hears: [/no such line/],
    reads: ["patch failed", "text I was wrong."],
  },
  {
    name: "an answer cut off, and its rest",
    play: async (talk) => {
      talk.sim.reply(text("Once upon"), incomplete());
      assert.equal((await talk.ask("Tell.")).status, "incomplete");
      talk.sim.reply(text(" a time."));
      await talk.conversation.retry("continue", asking());
    },
    reads: ["text  a time."],
  },
  {
    name: "a model that fails, asked again",
    play: async (talk) => {
      talk.sim.reply(text("Well"), failed());
      const turn = await talk.ask("Think.");
      assert.equal(turn.status, "failed");
      assert.ok(turn.problem);
      talk.sim.reply(text("Thought."));
      await talk.conversation.retry("regenerate", asking(), turn.id);
    },
    reads: ["text Thought."],
  },
  {
    name: "a key that is refused, and another one",
    play: async (talk) => {
      talk.key = "sk-of-somebody-else-0123456789";
      const turn = await talk.ask("May I?");
      assert.deepEqual([turn.status, turn.problem?.kind], ["failed", "auth"]);
      talk.key = talk.sim.key;
      talk.sim.reply(text("You may."));
      await talk.conversation.retry("retry", asking());
    },
    reads: ["text You may."],
  },
  {
    name: "another model",
    play: async (talk) => {
      talk.sim.reply(text("I only chat."));
      await talk.ask("And you?", "svc-k2.6");
    },
    reads: ["text I only chat."],
  },
  {
    name: "and back",
    play: async (talk) => {
      talk.sim.reply(text("I am back."));
      await talk.ask("And you?");
    },
    reads: ["text I am back."],
  },
  pictureScene("svc-k3"),
  {
    name: "web search",
    play: async (talk) => {
      talk.conversation.choose({ webSearch: true });
      talk.sim.reply(search("news", [{ url: "https://example.org/", title: "E" }]), text("Nothing new."));
      await talk.ask("News?");
    },
    reads: ["search news", "text Nothing new."],
  },
  {
    name: "more about it",
    play: async (talk) => {
      talk.sim.reply(text("Nothing at all."));
      await talk.ask("Sure?");
    },
    reads: ["text Nothing at all."],
  },
  {
    name: "and more",
    play: async (talk) => {
      talk.sim.reply(text("Nothing."));
      await talk.ask("Really?");
    },
    reads: ["text Nothing."],
  },
  {
    name: "a question in other words",
    play: async (talk) => {
      const { turns } = talk.conversation.state;
      talk.sim.reply(text("Silence."));
      await talk.conversation.edit(turns[7]?.id ?? "", "Say nothing.", asking());
      assert.equal(talk.conversation.state.turns.length, 8);
      const { raw } = lastBody(talk);
      assert.match(raw, /Say nothing\./);
      assert.doesNotMatch(raw, /Once upon|I only chat|Nothing new/);
    },
    reads: ["text Silence."],
  },
];

const forecast: HostTool = {
  ...{ namespace: "weather", name: "forecast", description: "Tells the weather.", readOnly: true },
  parameters: { properties: { city: { type: "string" } } },
  call: async ({ city }) => ({ output: `Sun in ${city}.` }),
};

/** These take back only what the interface shows; searches alone are left out without asking. */
const refusing: Partial<Record<ProfileName, true>> = { "replay-strict": true };

for (const profile of steadyProfileNames) {
  test(`a conversation with every kind of turn works and is remembered (${profile})`, async () => {
    const tools = { user: new Map([["weather", "ask" as const]]), workspace: new Map() };
    const talk = await startTalk({ profile, hostTools: [forecast], settings: { tools } });
    talk.workspace.write("work/a.ts", `${numbers.join("\n")}\n`);
    const offers = await playScenes(talk, scenes);
    assert.equal(offers, refusing[profile] ? 1 : 0);
    const notes = talk.events.filter(
      (event) => event.type === "note" && event.notes.some(({ code }) => code === "noteSearches"),
    );
    assert.equal(notes.length, profile === "replay-no-search" ? 1 : 0, "said once, and known from then on");
    await assertRemembered(talk, "svc-k3");
  });
}

test("a service that reports errors with a success status ends every turn with a message", async () => {
  const talk = await startTalk({ profile: "2xx-error" });
  for (const model of ["svc-k3", "svc-k2.6"]) {
    talk.sim.reply(text("Never heard."));
    const turn = await talk.ask("Hi.", model);
    assert.equal(turn.status, "failed");
    assert.ok(english(turn.problem).length > 10, model);
    assert.deepEqual(reading(turn), []);
  }
});
