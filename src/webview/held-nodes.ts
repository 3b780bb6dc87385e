// Which turns must stay in the document wherever the reader goes: the one that has the focus, those a selection runs
// through, so that it can be copied whole, and those in which somebody has begun to say why not.

const longestSelection = 200;

export function heldNodes(root: HTMLElement): readonly Element[] {
  const reasons = root.querySelectorAll(".reason > input:not(:placeholder-shown)");
  const used = [document.activeElement, ...reasons].flatMap((node) => articleAround(node, root) ?? []);
  return [...used, ...selectedArticles(root)];
}

function selectedArticles(root: HTMLElement): readonly Element[] {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed) return [];
  const articles = [...root.children].filter((child) => child.tagName === "ARTICLE");
  const touched = articles.filter((article) => selection.containsNode(article, true));
  return touched.slice(0, longestSelection);
}

function articleAround(node: Node | null, root: HTMLElement): Element | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  return element != null && root.contains(element) ? (element.closest("article") ?? undefined) : undefined;
}
