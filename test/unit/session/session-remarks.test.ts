import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SessionRemarks } from "../../../src/session/internal/session-remarks.ts";
import { silentLog } from "../../../src/util/log.ts";

const remark = (id: string, words = "Why?") => ({
  ...{ id, words, hunk: "h", path: "src/cart.ts", first: 2, last: 3, quoted: "-two\n+TWO" },
});

function openRemarks(disk: { text: string }, readOnly = false) {
  const journal = {
    ...(readOnly && { readOnly: { code: "x" } as never }),
    readRemarks: async () => disk.text,
    writeRemarks: async (text: string) => {
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
    remarks.put(remark("1"));
    remarks.put(remark("2"));
    remarks.put(remark("1", "Really?"));
    remarks.drop("2");
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
    remarks.put(remark("2"));
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
    remarks.put({ ...remark("1"), quoted: `+const token = "${secret}";` });
    await remarks.settled();
    assert.ok(disk.text.includes("const token") && !disk.text.includes(secret), disk.text);
  });

  it("drops what it cannot read", async () => {
    for (const text of ["{", '"x"', JSON.stringify([{ id: 1 }, remark("1")])]) {
      const { remarks } = openRemarks({ text });
      await remarks.settled();
      assert.equal(remarks.list.length, text.startsWith("[") ? 1 : 0, text);
    }
  });

  it("writes nothing where another window writes the conversation", async () => {
    const disk = { text: "" };
    const { remarks } = openRemarks(disk, true);
    remarks.put(remark("1"));
    await remarks.settled();
    assert.equal(disk.text, "");
  });

  it("takes no more than a person can keep in view", () => {
    const { remarks } = openRemarks({ text: "" });
    const taken = Array.from({ length: 101 }, (_, at) => remarks.put(remark(String(at))));
    assert.deepEqual([taken.at(99), taken.at(100), remarks.list.length], [true, false, 100]);
  });
});
