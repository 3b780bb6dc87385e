import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { DiagramMessage } from "../../../src/diagrams/diagrams.ts";
import { type DiagramThread, startDiagrams } from "../../support/diagram-thread.ts";

let thread: DiagramThread;
before(async () => {
  thread = await startDiagrams();
});
after(() => thread.close());

const draw = (source: string) =>
  new Promise<DiagramMessage>((post) => thread.diagrams.draw(source, { post }));
const labelsIn = ({ svg = "" }: DiagramMessage) =>
  [...svg.matchAll(/<g class="[a-z-]+" data-id="[^"]*" data-label="([^"]+)"/g)].map(([, label]) => label);
const whyNot = async (source: string) => (await draw(source)).why;

describe("drawDiagram", () => {
  it("draws each kind that it knows, with its words", async () => {
    const kinds = {
      "graph LR\n  A[one] --> B{two}": ["one", "two"],
      "stateDiagram-v2\n  [*] --> Idle\n  Idle --> Busy : work": ["Idle", "Busy"],
      "classDiagram\n  Animal <|-- Dog\n  class Dog {\n    +bark()\n  }": ["Animal", "Dog"],
      "erDiagram\n  PERSON ||--o{ ORDER : places": ["PERSON", "ORDER"],
    };
    for (const [source, labels] of Object.entries(kinds))
      assert.deepEqual(labelsIn(await draw(source)), labels);
    const { svg = "" } = await draw("sequenceDiagram\n  A->>B: hello\n  B-->>A: and back");
    assert.match(svg, /hello[\s\S]*and back/);
  });

  it("reads what models write around a diagram: front matter, comments, directives, semicolons, no direction", async () => {
    const sources = [
      "---\ntitle: A title\n---\n\nflowchart TD\n  A --> B",
      "%%{init: {'theme': 'dark'}}%%\n%% a comment\nflowchart TD;\n  A --> B;",
      "graph TD; A-->B; B-->A",
      "flowchart\n  A --> B",
    ];
    for (const source of sources) assert.deepEqual(labelsIn(await draw(source)), ["A", "B"], source);
  });

  it("gives a group the nodes that it only names", async () => {
    const { svg = "" } = await draw("flowchart TD\n  A[one] --> B[two]\n  subgraph G\n    B\n  end");
    const place = (pattern: RegExp) => (pattern.exec(svg) ?? []).slice(1).map(Number);
    const [groupTop = 0, groupHeight = 0] = place(
      /data-id="G"[\s\S]*?<rect[^>]* y="([\d.]+)"[^>]* height="([\d.]+)"/,
    );
    const [top = 0] = place(/data-id="B"[\s\S]*?<rect[^>]* y="([\d.]+)"/);
    assert.ok(top > groupTop && top < groupTop + groupHeight, svg);
    assert.match(svg, />two</);
  });

  it("says that it does not draw other kinds, and nothing of what it understands only in part", async () => {
    for (const source of ['pie\n  "a" : 1', "gantt\n  title x", "", "hello", "mindmap\n  root"])
      assert.equal(await whyNot(source), "kind", source);
    for (const source of [
      "flowchart TD",
      "graph TD\n  A --> B\n  A ==> ???",
      "sequenceDiagram\n  A b ->> c : : x\n ->>: y",
    ])
      assert.equal(await whyNot(source), "text", source);
  });

  it("refuses a picture that is too large", async () => {
    const names = Array.from({ length: 1_500 }, (_, index) => `  N${index}`);
    assert.equal(await whyNot(["flowchart TD", ...names].join("\n")), "size");
  });

  it("loads nothing: words of the author are words in the picture", async () => {
    const { svg = "" } = await draw('flowchart TD\n  A["</text><script>alert(1)</script>"] --> B');
    assert.doesNotMatch(svg, /<script/);
  });
});
