// A text of which only a part is in the document is the same text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleAnswer } from "../../support/sample-answer.ts";
import { openRenderPage } from "./support.ts";

const { page, errors } = await openRenderPage();

const texts = [
  sampleAnswer(60_000),
  `Above.\n\n${"- An item with `code`.\n  - Another one.\n".repeat(150)}\nBelow.`,
  `${Array.from({ length: 400 }, (_, at) => `> Line ${at} [a][l${at % 7}].\n>\n`).join("")}\nBelow.\n\n[l3]: https://e.example/3`,
  `\`\`\`ts\n${"const a = 1; // שלום\n".repeat(900)}\`\`\`\n\nשלום \`g()\`\n\n${"Below `a()`.\n\n".repeat(90)}`,
  `1. One\n\n   ${"- An inner item.\n   ".repeat(200)}\n2. Two\n\n[x]: https://e.example\n\n${"[x]\n\n".repeat(99)}`,
];

for (const seed of [1, 2, 3, 4]) {
  test(`a text that was streamed while its reader scrolled is the same as one rendered whole (${seed})`, async () => {
    const differences = await page.evaluate(
      async ([all, start]) => {
        const main = document.querySelector("main") ?? document.body;
        Object.assign(main.style, { display: "block", height: "600px", overflowY: "auto", width: "400px" });
        let state = start * 7919;
        const below = (limit: number) => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
          return Math.floor((state / 2 ** 32) * limit);
        };
        const found: unknown[] = [];
        for (const [index, text] of all.entries()) {
          await window.render(text);
          const whole = main.innerHTML;
          const view = window.renderer.open();
          let most = 0;
          for (let at = 0; at < text.length; ) {
            const step = 1 + below(400);
            view.append(text.slice(at, at + step));
            at += step;
            if (below(3) === 0) main.scrollTop = below(main.scrollHeight);
            if (below(8) === 0) main.style.width = `${250 + below(400)}px`;
            if (below(2) === 0) view.refresh(main);
            most = Math.max(most, main.querySelectorAll(".md-away").length);
            if (below(20) === 0) await view.settled();
          }
          view.end();
          view.refresh(main);
          await view.settled();
          main.scrollTop = below(main.scrollHeight);
          view.refresh(main);
          window.renderer.drawWhole();
          if (main.innerHTML !== whole || most === 0)
            found.push({ index, most, is: main.innerHTML.length, should: whole.length });
        }
        return found;
      },
      [texts, seed] as const,
    );
    assert.deepEqual(differences, []);
  });
}

test("the page throws no error during these tests", () => assert.deepEqual(errors, []));
