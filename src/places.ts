// The pages of this window and what each of them shows: the chat view, and editor tabs, which keep their conversation:
// whatever asks for another one gets it in the view. What stands around them all is about the place that was used last.
import { openSession, type Port } from "./bridge/session.ts";
import type { Assistant } from "./core/assistant.ts";
import type { ConversationEvent } from "./core/conversation/events.ts";
import type { ConversationShelf } from "./core/conversation-shelf.ts";
import { createOpenTitle } from "./core/open-title.ts";
import { Seats } from "./core/seats.ts";
import { createStandIn } from "./core/stand-in.ts";
import type { Library } from "./core/store/library.ts";
import { type Disposable, Disposables } from "./core/util/disposables.ts";
import { Emitter, type Listener } from "./core/util/emitter.ts";
import { createPageSubject, type HostedPage, type PageNeeds } from "./page-subject.ts";

/** An editor tab, as far as its page is concerned. */
export interface Tab {
  /** What it showed before VS Code was closed; absent: what is in use. */
  readonly conversation: string | undefined;
  show(keepsFocus: boolean): void;
  /** Nothing: its conversation has no name yet. */
  setTitle(title: string | undefined): void;
}

/** With a conversation that is open somewhere; without an event: another one has taken its place. */
export interface Happening {
  readonly assistant: Assistant;
  readonly event?: ConversationEvent;
}

export interface PlacesNeeds extends Omit<PageNeeds, "title" | "use" | "priceOfLoss"> {
  lay(openLatest: ConversationShelf["openLatest"]): Promise<Assistant>;
  readonly shelf: Pick<ConversationShelf, "open" | "openLatest">;
  readonly library: Library;
  /** The conversation of the chat view, between two windows. */
  readonly last?: { read(): string | undefined; write(conversation: string): void };
  /** The chat view, which may be hidden. */
  showView(): void;
  priceOfLoss(tokens: number, settings: Pick<Assistant, "model" | "cacheTier">): string | undefined;
  now(): number;
}

export interface Places {
  /** Whichever is in use: it stays the same one for those who hold it. */
  readonly assistant: Assistant;
  /** The tab that is in use; `undefined`: the chat view is. */
  readonly tab: Tab | undefined;
  /** The page of the chat view. */
  openPage(port: Port): Disposable;
  openTab(port: Port, tab: Tab): Promise<Disposable>;
  /** Uses the place that shows it, else the chat view, which goes on with it. */
  open(conversation: string): Promise<void>;
  isOpen(conversation: string): boolean;
  /** In use or not, in sight or not. */
  onHappening(listener: Listener<Happening>): Disposable;
  /** Wherever it is open, an empty conversation takes its place. */
  clear(conversation: string): Promise<void>;
  surroundingsChanged(): void;
  close(): Promise<void>;
}

interface Place {
  readonly assistant: Assistant;
  readonly tab?: Tab;
}

export async function openPlaces(needs: PlacesNeeds): Promise<Places> {
  const { shelf, library, log, last } = needs;
  const happenings = new Emitter<Happening>();
  const lay: PlacesNeeds["lay"] = async (openLatest) => {
    const assistant = await needs.lay(openLatest);
    assistant.onEvent((event) => happenings.fire({ assistant, event }));
    assistant.onReset(() => happenings.fire({ assistant }));
    return assistant;
  };
  const seats = new Seats({
    lay: (conversation) =>
      lay(async () => (conversation === undefined ? undefined : shelf.open(conversation))),
    log,
  });
  const before = last?.read();
  const view: Place = seats.takeAt(
    await lay(async () =>
      before === undefined ? shelf.openLatest() : shelf.open(before).catch(shelf.openLatest),
    ),
  );
  const places = new Set([view]);
  const pages = new Set<HostedPage>();
  let inUse = view;
  const front = createStandIn(view.assistant);
  view.assistant.onReset(() => last?.write(view.assistant.conversation.id));

  function use(place: Place): void {
    inUse = place;
    front.standFor(place.assistant);
  }

  const inView =
    <Words extends unknown[]>(move: (...words: Words) => Promise<void>) =>
    async (...words: Words) => {
      await move(...words);
      use(view);
      needs.showView();
    };

  /** One conversation for each tab: others go into the view. */
  const staying = (assistant: Assistant): Assistant =>
    createStandIn(assistant, {
      newConversation: inView(view.assistant.newConversation),
      openConversation: inView(view.assistant.openConversation),
      branch: inView(async (turn) => view.assistant.openConversation(await assistant.branchAside(turn))),
    }).assistant;

  function host(place: Place): { readonly page: HostedPage; readonly ended: Disposable } {
    const { assistant } = place;
    const owned = new Disposables();
    const title = owned.add(createOpenTitle({ library, assistant, log }));
    const tell = () => place.tab?.setTitle(title.text);
    owned.add(title.onChange(tell));
    owned.add(assistant.onReset(tell));
    tell();
    const page = owned.add(
      createPageSubject(
        assistant,
        {
          ...needs,
          title,
          priceOfLoss: (tokens) => needs.priceOfLoss(tokens, assistant),
          // A command is about what is in use, and so about no other page.
          acts: {
            fire: (act) => needs.acts.fire(act),
            on: (listener) => needs.acts.on((act) => inUse === place && listener(act)),
          },
          use: () => use(place),
        },
        needs.now,
      ),
    );
    pages.add(page);
    owned.add({ dispose: () => pages.delete(page) });
    return { page, ended: owned };
  }

  const viewPage = host(view).page;

  return {
    assistant: front.assistant,
    get tab() {
      return inUse.tab;
    },
    openPage: (port) => openSession(port, viewPage.subject, log),
    async openTab(port, tab) {
      const seat = await seats.take(tab.conversation ?? front.assistant.conversation.id);
      const place = { assistant: staying(seat.assistant), tab };
      places.add(place);
      const { page, ended } = host(place);
      const session = openSession(port, page.subject, log);
      return {
        dispose() {
          session.dispose();
          ended.dispose();
          places.delete(place);
          if (inUse === place) use(view);
          seat.leave();
        },
      };
    },
    async open(conversation) {
      const shows = ({ assistant }: Place) => assistant.conversation.id === conversation;
      const place = shows(inUse) ? inUse : ([...places].find(shows) ?? view);
      if (place === view) await view.assistant.openConversation(conversation);
      use(place);
    },
    isOpen: (conversation) => seats.isOpen(conversation),
    onHappening: happenings.on,
    clear: (conversation) => seats.clear(conversation),
    surroundingsChanged() {
      for (const page of pages) page.surroundingsChanged();
    },
    close: () => seats.close(),
  };
}
