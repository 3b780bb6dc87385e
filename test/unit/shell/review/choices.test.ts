import assert from "node:assert/strict";
import { test } from "node:test";
import { Choices } from "../../../../src/shell/review/choices.ts";

const hunks = ["a#1", "a#2", "b"];

test("everything is taken until somebody says otherwise", () => {
  assert.deepEqual(new Choices().decision("call", hunks), { kind: "accept" });
});

test("a tick is a wish: the answer leaves when every hunk is settled, not before", () => {
  const choices = new Choices();
  choices.tick("call", ["a#2"], false);
  assert.equal(choices.complete("call", hunks), undefined);
  choices.settle("call", ["a#1", "b"], true);
  assert.equal(choices.complete("call", hunks), undefined);
  choices.settle("call", ["a#2"], false, "not this one");
  const decision = { kind: "partly", hunks: ["a#1", "b"], reason: "not this one" };
  assert.deepEqual(choices.complete("call", hunks), decision);
});

test("nothing taken is a rejection, with all reasons that were given", () => {
  const choices = new Choices();
  choices.settle("call", ["a#1", "a#2"], false, "wrong file");
  choices.settle("call", ["b"], false, "not needed");
  assert.deepEqual(choices.complete("call", hunks), { kind: "reject", reason: "wrong file not needed" });
});

test("a patch that changed must be settled again; ticks stay", () => {
  const choices = new Choices();
  choices.settle("call", ["a#1"], false);
  choices.reopen("call");
  assert.equal(choices.isSettled("call", "a#1"), false);
  assert.equal(choices.takes("call", "a#1"), false);
});

test("patches that no longer wait are forgotten", () => {
  const choices = new Choices();
  choices.settle("old", ["a#1"], false);
  choices.settle("new", ["a#1"], false);
  choices.keepOnly(new Set(["new"]));
  assert.equal(choices.takes("old", "a#1"), true);
  assert.equal(choices.takes("new", "a#1"), false);
});
