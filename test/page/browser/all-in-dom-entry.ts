// How most panels draw a conversation: every answer in the document, with our own renderer, so that only the strategy
// differs. For the benchmark of the panel.
import { createMarkdownView } from "../../../src/page/markdown/markdown-view.ts";
import { sampleLabels } from "./labels.ts";

async function drawAll(texts: readonly string[], visibility: string): Promise<number> {
  const started = performance.now();
  const main = document.querySelector("main") ?? document.body;
  const views = texts.map((text) => {
    const article = document.createElement("article");
    article.style.contentVisibility = visibility;
    article.style.containIntrinsicSize = "auto 400px";
    const view = createMarkdownView({ labels: sampleLabels, math: true, onLink() {} });
    article.append(view.root);
    main.append(article);
    view.append(text);
    view.end();
    return view;
  });
  scrollTo(0, document.documentElement.scrollHeight);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const drawn = performance.now() - started;
  for (const view of views) view.dispose();
  return drawn;
}

Object.assign(window, { drawAll });
