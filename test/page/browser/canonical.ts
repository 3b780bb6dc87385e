// One form for what the specification's HTML says and for what our nodes say, so that the two can be compared. What
// differs on purpose is levelled out here, and only here:
// - addresses that are not http or https are not links: their words remain;
// - an image is its alternative text, as a link where its address is one;
// - a link or image without words shows its address;
// - a tight list keeps its paragraphs, and says so with a class;
// - a task is a picture with a label, not an input;
// - our own additions: code heads, a link's real host, directions, groups.

type Child = ChildNode;

export function canonicalOf(root: Element): string {
  return blockChildren(root).join("");
}

export function canonicalOfHtml(html: string): string {
  return canonicalOf(new DOMParser().parseFromString(html, "text/html").body);
}

const blocks = new Set(
  "P H1 H2 H3 H4 H5 H6 HR PRE BLOCKQUOTE UL OL LI TABLE THEAD TBODY TR TH TD DIV".split(" "),
);
const isBlock = (node: Child): node is HTMLElement => node instanceof HTMLElement && blocks.has(node.tagName);

/** Text between blocks is layout; text beside them belongs to a tight item. */
function blockChildren(parent: Element): string[] {
  const read: string[] = [];
  let words = "";
  const flush = () => {
    if (words.trim() !== "") read.push(words.trim());
    words = "";
  };
  for (const node of parent.childNodes) {
    if (isBlock(node)) {
      // A task's words stand beside its box, whether in a paragraph or not.
      if (words === "[x]" || words === "[ ]") words = `${words} ${inlineChildren(node).trim()}`;
      else {
        flush();
        read.push(block(node));
      }
    } else words += inline(node);
  }
  flush();
  return read;
}

function block(element: HTMLElement): string {
  const tag = element.tagName.toLowerCase();
  if (element.matches(".md-code")) return `<pre>${element.querySelector("code")?.textContent ?? ""}</pre>`;
  if (tag === "pre") return `<pre>${element.textContent}</pre>`;
  if (tag === "div") return blockChildren(element).join("");
  if (tag === "hr") return "<hr>";
  if (tag === "p") {
    const words = inlineChildren(element).trim();
    return element.matches(".md-tight > li > p") ? words : `<p>${words}</p>`;
  }
  if (/^h\d|^t[hd]$/.test(tag))
    return `<${tag}${alignment(element)}>${inlineChildren(element).trim()}</${tag}>`;
  const start = tag === "ol" ? ` ${element.getAttribute("start") ?? 1}` : "";
  return `<${tag}${start}>${blockChildren(element).join("|")}</${tag}>`;
}

function alignment(element: HTMLElement): string {
  const found = element.getAttribute("align") ?? /md-(left|center|right)/.exec(element.className)?.[1];
  return found === undefined ? "" : ` ${found}`;
}

const inlineChildren = (parent: Element): string =>
  [...parent.childNodes].map(inline).join("").replaceAll("<br>\n", "<br>");

function inline(node: Child): string {
  if (node instanceof Text) return node.data;
  if (!(node instanceof HTMLElement) || node.matches(".md-host")) return "";
  if (node.matches(".md-box")) return node.matches(".md-done") ? "[x]" : "[ ]";
  if (node instanceof HTMLInputElement) return node.checked ? "[x]" : "[ ]";
  if (node instanceof HTMLAnchorElement || node instanceof HTMLImageElement) return link(node);
  const words = inlineChildren(node);
  const tag = node.tagName.toLowerCase();
  if (tag === "br") return "<br>";
  if (["em", "strong", "code"].includes(tag)) return `<${tag}>${words}</${tag}>`;
  return tag === "s" || tag === "del" ? `<s>${words}</s>` : words;
}

function link(node: HTMLAnchorElement | HTMLImageElement): string {
  const isImage = node instanceof HTMLImageElement;
  const href = node.getAttribute("data-href") ?? node.getAttribute(isImage ? "src" : "href") ?? "";
  const found = isImage ? node.alt : inlineChildren(node);
  const words = found.trim() === "" ? href : found;
  if (!/^https?:/i.test(href) || !URL.canParse(href)) return words;
  // Inside a link there is no other link.
  if (isImage && node.closest("a") !== null) return words;
  const address = new URL(href).href;
  const title = node.title.endsWith(address)
    ? node.title.slice(0, -address.length).trim()
    : node.title.trim();
  return `<a ${address} ${title}>${words}</a>`;
}
