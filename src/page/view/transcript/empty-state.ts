// The empty conversation: two or three starter questions about the open file or its selection, uncommitted changes or
// the project, and three lines about what is not obvious.
import { button, h } from "../../elements/dom.ts";
import { icon } from "../../elements/icons.ts";
import { type Row, rows } from "../../elements/rows.ts";
import type { Post, RenderContext, TurnDeps } from "../../render-context.ts";
import { fill, strings } from "../../words/strings.ts";
import type { Content } from "./turn-window.ts";

interface Starter extends Row {
  readonly label: string;
  /** The messages to post. */
  readonly asks: readonly Parameters<Post>[0][];
}

/** In milliseconds: the second click of a double click, or a key that is held, asks nothing more. */
const again = 1000;

interface EmptyState {
  readonly root: HTMLElement;
  update(content: Pick<Content, "starting" | "context">): void;
}

export function emptyState({ post }: Pick<TurnDeps, "post">): EmptyState {
  const lines = [
    ["mention", strings.emptyFirst],
    ["diff", strings.emptySecond],
    ["thought", strings.emptyThird],
  ] as const;
  const starters = h("div", { class: "starters", role: "group", "aria-label": strings.starters });
  const draw = rows<Starter>(starters, ({ label, asks }) => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    return button(label, "secondary", ({ timeStamp }) => {
      const isAgain = timeStamp - pressedAt < again;
      pressedAt = timeStamp;
      if (isAgain) return;
      for (const message of asks) post(message);
    });
  });
  const root = h(
    "div",
    { class: "empty" },
    h("h2", {}, strings.emptyTitle),
    starters,
    ...lines.map(([picture, line]) => h("p", {}, icon(picture), h("span", {}, line))),
  );
  return { root, update: ({ starting, context }) => void draw(startersOf(starting, context)) };
}

/** There are no starters while nothing can be sent; the notice above the composer says what to do. */
function startersOf(
  { suggested, starters }: Content["starting"],
  { trouble, readOnly, proposesCode }: RenderContext,
): readonly Starter[] {
  if (trouble !== undefined || readOnly) return [];
  const attachment = suggested?.attachment;
  const place = placeOf(attachment);
  const ask = (command: string, sentence: string): Starter[] => {
    if (attachment === undefined || place === "") return [];
    const asks = [
      { type: "attach", attachment },
      { type: "send", prompt: place, command },
    ] as const;
    return [{ id: command, label: fill(sentence, { place: place.slice(place.lastIndexOf("/") + 1) }), asks }];
  };
  const changes: Starter = {
    ...{ id: "changes", label: strings.startChanges },
    asks: [{ type: "run", command: "review-changes" }],
  };
  const project: Starter = {
    ...{ id: "project", label: strings.startProject },
    asks: [{ type: "send", prompt: strings.startProjectPrompt }],
  };
  return [
    ...(place === "" && starters.includes("project") ? [project] : ask("explain", strings.askedExplain)),
    ...(starters.includes("changes") ? [changes] : ask("review", strings.askedReview)),
    ...(proposesCode ? ask("tests", strings.askedTests) : []),
  ];
}

/** `src/cart.ts`, or `src/cart.ts:10–16` for a selection; empty if the attachment is neither. */
function placeOf(
  attachment: NonNullable<Content["starting"]["suggested"]>["attachment"] | undefined,
): string {
  if (attachment?.kind !== "file" && attachment?.kind !== "selection") return "";
  const { path } = attachment;
  if (attachment.kind === "file") return path;
  const { start, end } = attachment;
  return start === end ? `${path}:${start}` : `${path}:${start}–${end}`;
}
