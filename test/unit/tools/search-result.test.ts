import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type FileHits, SearchResult } from "../../../src/tools/internal/search/search-result.ts";

const hits = (at: number, length: number): FileHits => ({
  path: `src/file-${at}.ts`,
  lines: [{ number: at, text: "x".repeat(length) }],
  total: 3,
});

/** Takes files as a search finds them, which ends once no further one would be mentioned. */
function searched(length: number): { readonly taken: number; readonly text: string } {
  const result = new SearchResult(0);
  let taken = 0;
  while (!result.isFull) {
    result.take(hits(taken, length));
    taken++;
    assert.ok(result.isFull || result.room > 0);
  }
  return { taken, text: result.text([]) };
}

describe("SearchResult", () => {
  it("takes no more files than it shows or counts, and one that tells that there are more", () => {
    for (const length of [1, 60, 180, 600]) {
      const { taken, text } = searched(length);
      const shown = text.match(/^\d+:x/gm)?.length ?? 0;
      const counted = text.match(/^src\/file-\d+\.ts: 3$/gm)?.length ?? 0;
      assert.equal(counted, 40, `${length}`);
      assert.ok(taken <= shown + 41 && taken > shown + 36, `${taken} for ${shown} and ${counted}`);
      assert.match(text, /\[There are more; name a folder or a pattern\.\]/);
    }
  });

  it("is not full while all that it has is shown", () => {
    const result = new SearchResult(0);
    for (let at = 0; at < 20; at++) result.take(hits(at, 20));
    assert.equal(result.isFull, false);
    assert.doesNotMatch(result.text([]), /There are more/);
  });
});
