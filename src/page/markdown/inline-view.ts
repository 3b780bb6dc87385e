// The DOM views of text inside a block, and their updates while the text grows. Content contributes only text and two
// addresses, both already checked by inline.ts.
import { h } from "../elements/dom.ts";
import type { MarkdownContext } from "./markdown-context.ts";
import type { Inline } from "./parse/inline.ts";
import { type Room, reconcile, type View } from "./reconcile.ts";
import { drawSource } from "./scripts/renderers.ts";

export function inlineRoom(parent: Element, around: MarkdownContext): Room<Inline> {
  return {
    views: [],
    create: (inline) => inlineView(inline, around),
    append: (root) => parent.append(root),
  };
}

function inlineView(inline: Inline, around: MarkdownContext): View<Inline> {
  switch (inline.kind) {
    case "text":
      return textView(inline.text);
    case "math":
      return mathView(inline, around);
    case "break":
      return { root: h("br"), update: (next) => next.kind === "break" };
    case "hidden": {
      const root = h("span", { class: "md-hidden", title: around.labels.hidden }, inline.text);
      return { root, update: (next) => next.kind === "hidden" && next.text === inline.text };
    }
    default:
      return elementView(inline, around);
  }
}

/**
 * A growing text gets more text nodes instead of a longer one. Changing a node is expensive, since the browser walks
 * everything around it, immediately and again for layout; adding a node is not.
 */
function textView(text: string): View<Inline> {
  const root = document.createTextNode(text);
  let added: Text[] = [];
  let shown = text;
  const forget = () => {
    for (const node of added) node.remove();
    added = [];
  };
  return {
    root,
    update(next) {
      if (next.kind !== "text") return false;
      if (next.text === shown) return true;
      if (next.text.startsWith(shown)) {
        const node = document.createTextNode(next.text.slice(shown.length));
        (added.at(-1) ?? root).after(node);
        added.push(node);
      } else {
        forget();
        root.data = next.text;
      }
      shown = next.text;
      return true;
    },
    dispose: forget,
  };
}

type Parent = Extract<Inline, { readonly children: readonly Inline[] }>;

function elementView(inline: Parent, around: MarkdownContext): View<Inline> {
  const root = elementFor(inline, around);
  const room = inlineRoom(root, around);
  reconcile(room, inline.children, false);
  if (inline.kind === "link" && inline.host !== undefined) {
    root.append(h("span", { class: "md-host" }, ` (${inline.host})`));
  }
  return {
    root,
    update(next) {
      if (!("children" in next) || !isSameElement(inline, next)) return false;
      reconcile(room, next.children, false);
      return true;
    },
  };
}

function isSameElement(one: Parent, other: Parent): boolean {
  switch (one.kind) {
    case "link":
      // The host warning follows the words of a link, so a link that has one is recreated.
      return (
        other.kind === "link" &&
        sameKeys(one, other, ["address", "title", "image"]) &&
        !one.host &&
        !other.host
      );
    case "unlinked":
      return other.kind === "unlinked" && sameKeys(one, other, ["title", "image"]);
    case "file":
      return other.kind === "file" && sameKeys(one, other, ["path", "line"]);
    default:
      return one.kind === other.kind;
  }
}

const sameKeys = <T>(one: T, other: T, keys: readonly (keyof T)[]): boolean =>
  keys.every((key) => one[key] === other[key]);

function elementFor(inline: Parent, around: MarkdownContext): HTMLElement {
  switch (inline.kind) {
    case "em":
    case "strong":
      return h(inline.kind);
    case "strike":
      return h("s");
    case "code":
      return h("code", around.isolation.isNeeded ? { dir: "ltr" } : {});
    case "link": {
      const title = inline.title === "" ? inline.address : `${inline.title}\n${inline.address}`;
      // No href: the page never navigates. The host checks and opens the address.
      return h("a", {
        class: inline.image ? "md-link md-image" : "md-link",
        role: "link",
        tabindex: "0",
        title,
        "data-href": inline.address,
      });
    }
    case "unlinked": {
      const title = inline.title === "" ? {} : { title: around.labels.notOpened(inline.title) };
      return h("span", { class: inline.image ? "md-unlinked md-image" : "md-unlinked", ...title });
    }
    case "file": {
      if (!around.opensFiles) return h("span", { class: "md-file" });
      const line = inline.line === undefined ? {} : { "data-line": String(inline.line) };
      const title = around.labels.openFile(inline.path, inline.line);
      return h("button", { type: "button", class: "md-file", title, "data-path": inline.path, ...line });
    }
    default:
      return inline satisfies never;
  }
}

type Formula = Extract<Inline, { readonly kind: "math" }>;

/**
 * A formula: its TeX until the formula renderer is loaded, then MathML. The browser draws, scales and reads MathML aloud
 * without fonts, a style sheet or inline styles, which the page's policy would refuse.
 */
function mathView(formula: Formula, around: MarkdownContext): View<Inline> {
  const root = h("span", { class: formula.display ? "md-math md-display" : "md-math", dir: "ltr" });
  drawSource("math", root, formula.tex, formula.display, around);
  return {
    root,
    update: (next) => next.kind === "math" && next.tex === formula.tex && next.display === formula.display,
  };
}
