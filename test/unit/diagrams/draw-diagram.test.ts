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

  it("says so where any statement of a text is not drawn, however much of it is", async () => {
    const sources = [
      ...[
        "A --> B --> C\n  E --o F",
        "B --> C & D\n  D x--x E[End]",
        "A ~~~ B",
        "A@{ shape: docs, label: x }",
      ],
      ...[
        "A --> B\n  B -->",
        "A --> B\n  subgraph G\n  B",
        "A[one] two",
        "A --- oB --> C ---oD",
        "A[&#93;] --> B",
      ],
    ].map((text) => `flowchart TD\n  ${text}`);
    const others = {
      sequenceDiagram: [
        "critical c\n A->>B: x\n option o\n B->>A: y\n end",
        "A<<->>B: x",
        "box x\n A->>B: y\n end",
      ],
      "stateDiagram-v2": [
        "A --> B\n --\n C --> D",
        "state c <<choice>>\n A --> c",
        "A --> B\n note left of A : x",
      ],
      classDiagram: [
        "namespace N {\n class A\n }",
        "A ()-- B",
        "`A b` --> B",
        "A <|--|> B",
        'A --> B\n note "x"',
      ],
      erDiagram: ["A one to many B : has", "p[Person] {\n string name\n }", "A ||--o{ B : has\n A ?? B"],
    };
    for (const [kind, texts] of Object.entries(others))
      sources.push(...texts.map((text) => `${kind}\n  ${text}`));
    for (const source of sources) assert.equal(await whyNot(source), "text", source);
  });

  it("draws every node and line of a flowchart: chains, several at once, semicolons, names and words of any script", async () => {
    const drawn = async (text: string) => {
      const reply = await draw(`flowchart LR\n  ${text}`);
      const links = [...(reply.svg ?? "").matchAll(/class="edge"/g)].length;
      return [labelsIn(reply).join(" ").split(" ").toSorted(), links];
    };
    const texts: Record<string, readonly [string, number]> = {
      "A --> B --> C\n 结束 --> A": ["A B C 结束", 3],
      "A & B --> C & D": ["A B C D", 4],
      "A --> B; C --> D": ["A B C D", 2],
      "A --> B\n A[Start; here] ==> B": ["Start; here B", 2],
      'A["list[0] (first)"] -->|"a | b"| B': ["list[0] (first) B", 1],
      'A{{one}} -- words --> B[(two)]\n B -. "x" .-> C[/three/]\n C ====> D((four))': [
        "one two three four",
        3,
      ],
      'A --> B\n click A "https://example.test"\n linkStyle 0 stroke:red\n classDef x fill:red\n class A x\n style B fill:red':
        ["A B", 1],
      "subgraph one [One]\n A-->B\n end\n one --> C": ["One A B C", 2],
    };
    for (const [text, [labels, links]] of Object.entries(texts))
      assert.deepEqual(await drawn(text), [labels.split(" ").toSorted(), links], text);
  });

  it("draws what models commonly write in the other kinds", async () => {
    const count = async (source: string, pattern: RegExp) => {
      const { svg, why } = await draw(source);
      assert.equal(why, undefined, source);
      return [...(svg ?? "").matchAll(pattern)].length;
    };
    const sequence = `sequenceDiagram
      autonumber
      participant parser as The Parser
      actor 用户
      用户->>+parser: text`;
    const blocks =
      "\n alt good\n parser-->>-用户: tree\n else bad\n parser--)用户: error\n end\n loop each\n Note over parser,用户: words\n parser->>parser: again\n end\n activate parser\n deactivate parser";
    assert.equal(await count(sequence + blocks, /class="message"/g), 4);
    assert.equal(await count(sequence + blocks, />3\. error</g), 1);
    const states = `stateDiagram-v2
      direction LR
      [*] --> Idle
      Idle : waits for work
      Idle --> Busy : work
      state Busy {
        [*] --> 工作
        工作 --> [*]
      }
      Busy --> [*]`;
    assert.equal(await count(states, /class="edge"/g), 5);
    assert.equal(await count(states, />waits for work</g), 1);
    const classes = `classDiagram
      class Animal~T~ {
        <<abstract>>
        +name: String
        +eat(food: Food): void
      }
      Animal <|-- Dog
      Dog "1" --> "*" Leg : has
      Dog : +bark()`;
    assert.equal(await count(classes, /class="class-relationship"/g), 2);
    const entities = `erDiagram
      CUSTOMER }|--|{ ORDER : places
      ORDER }o..|| 商品 : "has"
      ORDER {
        int id PK, FK "the key"
        string name
      }`;
    assert.equal(await count(entities, /class="er-relationship"/g), 2);
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
