import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MessageError } from "../../../src/conversation/english.ts";
import { message } from "../../../src/conversation/messages.ts";
import { SessionRemarks } from "../../../src/session/internal/session-remarks.ts";
import { silentLog } from "../../../src/util/log.ts";

const remark = (id: string, words = "Why?") => ({
  ...{ id, words, hunk: "h", path: "src/cart.ts", first: 2, last: 3, quoted: "-two\n+TWO" },
});

function openRemarks(disk: { text: string; isFull?: boolean }, readOnly = false) {
  const journal = {
    ...(readOnly && { readOnly: message("sideBusy") }),
    readRemarks: async () => disk.text,
    writeRemarks: async (text: string) => {
      if (disk.isFull === true) throw new Error("The disk is full.");
      disk.text = text;
    },
  };
  let changes = 0;
  const remarks = new SessionRemarks({
    journal: () => journal,
    changed: () => {
      changes += 1;
    },
    log: silentLog,
  });
  return { remarks, changes: () => changes };
}

describe("SessionRemarks", () => {
  it("keeps remarks until they are taken, also over a reload", async () => {
    const disk = { text: "" };
    const { remarks } = openRemarks(disk);
    await remarks.settled();
    void remarks.put(remark("1"));
    void remarks.put(remark("2"));
    void remarks.put(remark("1", "Really?"));
    void remarks.drop("2");
    await remarks.settled();
    const { remarks: later, changes } = openRemarks(disk);
    await later.settled();
    assert.deepEqual(later.list, [remark("1", "Really?")]);
    assert.equal(changes(), 1);
    assert.deepEqual(later.take(), [remark("1", "Really?")]);
    await later.settled();
    assert.deepEqual([later.list, disk.text], [[], ""]);
  });

  it("keeps what was written while the earlier ones were read", async () => {
    const { remarks } = openRemarks({ text: JSON.stringify([remark("1")]) });
    void remarks.put(remark("2"));
    await remarks.settled();
    assert.deepEqual(
      remarks.list.map(({ id }) => id),
      ["1", "2"],
    );
  });

  it("stores no secret that a quoted line has", async () => {
    const disk = { text: "" };
    const { remarks } = openRemarks(disk);
    const secret = `ghp_${"a1B2".repeat(9)}`;
    void remarks.put({ ...remark("1"), quoted: `+const token = "${secret}";` });
    await remarks.settled();
    assert.ok(disk.text.includes("const token") && !disk.text.includes(secret), disk.text);
  });

  it("stores no lines from the middle of a private key", async () => {
    const disk = { text: "" };
    const { remarks } = openRemarks(disk);
    const lines = ["aB3", "xY7"].map((part) => part.repeat(22).slice(0, 64));
    void remarks.put({ ...remark("1"), quoted: `-one\n${lines.map((line) => `+${line}`).join("\n")}` });
    await remarks.settled();
    assert.ok(disk.text.includes("-one\\n+[secret removed]\\n+[secret removed]"), disk.text);
    for (const line of lines) assert.ok(!disk.text.includes(line), disk.text);
  });

  it("drops what it cannot read", async () => {
    for (const text of ["{", '"x"', JSON.stringify([{ id: 1 }, remark("1")])]) {
      const { remarks } = openRemarks({ text });
      await remarks.settled();
      assert.equal(remarks.list.length, text.startsWith("[") ? 1 : 0, text);
    }
  });

  it("refuses what is written where another window writes the conversation", async () => {
    const disk = { text: JSON.stringify([remark("0")]) };
    const { remarks } = openRemarks(disk, true);
    await remarks.settled();
    await assert.rejects(remarks.put(remark("1")), MessageError);
    await assert.rejects(remarks.drop("0"), MessageError);
    assert.deepEqual([remarks.list.length, remarks.refusal() === undefined], [1, false]);
    assert.equal(disk.text, JSON.stringify([remark("0")]));
  });

  it("does not bring back what was removed or sent while it was read again", async () => {
    for (const remove of ["drop", "take"] as const) {
      const disk = { text: "" };
      const { remarks } = openRemarks(disk);
      await remarks.put(remark("1"));
      remarks.reread();
      remarks[remove]("1");
      await remarks.settled();
      assert.deepEqual([remarks.list, disk.text], [[], ""], remove);
    }
  });

  it("keeps what could not be saved, says so, and saves it later", async () => {
    const disk = { text: "", isFull: true };
    const { remarks } = openRemarks(disk);
    await assert.rejects(remarks.put(remark("1")), /full/);
    remarks.reread();
    await remarks.settled();
    assert.deepEqual([remarks.list.length, disk.text], [1, ""]);
    disk.isFull = false;
    await remarks.settled();
    assert.equal(disk.text, JSON.stringify([remark("1")]));
  });

  it("takes no more than a person can keep in view", async () => {
    const { remarks } = openRemarks({ text: "" });
    for (let at = 0; at < 100; at += 1) await remarks.put(remark(String(at)));
    await assert.rejects(remarks.put(remark("100")), /already 100 remarks/);
    assert.equal(remarks.refusal("99"), undefined, "one that is there can be edited");
    assert.equal(remarks.list.length, 100);
  });
});
