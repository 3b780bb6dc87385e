// The chat surfaces of this window: the chat view and the editor tabs. Each shows one conversation at a time.

import { connectPage, type Port } from "../bridge/page-connection.ts";
import type { Session } from "../session/session.ts";
import type { Lease, SessionRegistry } from "../session/session-registry.ts";
import { type Disposable, Disposables } from "../util/disposables.ts";
import { Emitter } from "../util/emitter.ts";
import type { ConversationTitles } from "./internal/conversation-titles.ts";
import { createPageHost, type HostedPage, type PageHostDeps } from "./page-host.ts";
import { ChatSurface, followSession, type SessionSource } from "./shown-conversation.ts";

/** What a surface needs to know of an editor tab. */
export interface Tab {
  /** The conversation it showed before VS Code was closed; absent: the one in use. */
  readonly conversation: string | undefined;
  show(keepsFocus: boolean): void;
  /** `undefined`: the conversation has no title yet. */
  setTitle(title: string | undefined): void;
}

export interface ChatSurfacesDeps
  extends Omit<PageHostDeps, "surface" | "use" | "newConversation" | "goBack" | "branch"> {
  readonly registry: SessionRegistry;
  readonly titles: ConversationTitles;
  /** Remembers the conversation of the chat view from one window to the next. */
  readonly last?: { read(): string | undefined; write(conversation: string): void };
  /** Shows the chat view, which may be hidden. */
  showView(): void;
}

interface Surface {
  readonly surface: ChatSurface;
  readonly tab?: Tab;
}

/**
 * The surfaces of the window. A tab keeps its conversation; requests to open another one are served by the view.
 * Commands, the status bar and the review refer to the surface that was used last.
 */
export class ChatSurfaces implements SessionSource {
  readonly #deps: ChatSurfacesDeps;
  readonly #view: Surface;
  readonly #surfaces = new Set<Surface>();
  readonly #pages = new Set<HostedPage>();
  readonly #switches = new Emitter<void>();
  readonly #viewPage: HostedPage;
  #inUse: Surface;

  /** Fires when another surface is in use, or when the one in use shows another conversation. */
  readonly onSwitch = this.#switches.on;

  static async open(deps: ChatSurfacesDeps): Promise<ChatSurfaces> {
    const { registry, last } = deps;
    const before = last?.read();
    const lease =
      before === undefined
        ? await registry.openLatest()
        : await registry.open(before).catch(() => registry.openLatest());
    return new ChatSurfaces(deps, lease);
  }

  private constructor(deps: ChatSurfacesDeps, lease: Lease) {
    this.#deps = deps;
    this.#view = { surface: new ChatSurface(lease) };
    this.#inUse = this.#view;
    this.#viewPage = this.#add(this.#view).page;
    this.#view.surface.onSwitch(() => deps.last?.write(this.#view.surface.session.id));
    deps.registry.onRemove((id) => {
      for (const { surface } of this.#surfaces)
        if (surface.session.id === id) void surface.replace(deps.registry.create());
    });
  }

  /** The session of the surface in use. */
  get session(): Session {
    return this.#inUse.surface.session;
  }

  /** The tab in use; `undefined` when the chat view is in use. */
  get tab(): Tab | undefined {
    return this.#inUse.tab;
  }

  follow(listener: (session: Session) => Disposable): Disposable {
    return followSession(this, this.onSwitch, listener);
  }

  /** Uses the surface that shows this conversation already; otherwise opens it in the chat view. */
  async open(conversation: string): Promise<void> {
    const shows = ({ surface }: Surface) => surface.session.id === conversation;
    const known = shows(this.#inUse) ? this.#inUse : [...this.#surfaces].find(shows);
    if (known === undefined) await this.#inView(() => this.#deps.registry.open(conversation));
    else this.#use(known);
  }

  /** Opens an empty conversation, with `draft` in the composer. */
  newConversation(draft?: string): Promise<void> {
    return this.#inView(() => this.#deps.registry.create(draft));
  }

  /** Opens a session for an action of the editor in the chat view, which offers the way back. Tasks are not listed. */
  openBeside(kind: "conversation" | "task"): Promise<void> {
    const { registry } = this.#deps;
    return this.#inView(() => (kind === "task" ? registry.task() : registry.create()), true);
  }

  /** Branches after this turn, in the session in use or in another session that is shown. */
  branch(turn: string, session = this.session): Promise<void> {
    return this.#inView(() => this.#deps.registry.branch(session, turn));
  }

  openPage(port: Port): Disposable {
    return connectPage(port, this.#viewPage.host, this.#deps.log);
  }

  async openTab(port: Port, tab: Tab): Promise<Disposable> {
    const { registry, log } = this.#deps;
    const wanted = tab.conversation ?? this.session.id;
    const lease = await registry.open(wanted).catch(() => registry.create());
    const surface: Surface = { surface: new ChatSurface(lease), tab };
    const { page, owned } = this.#add(surface);
    owned.add(connectPage(port, page.host, log));
    return {
      dispose: () => {
        owned.dispose();
        this.#surfaces.delete(surface);
        if (this.#inUse === surface) this.#use(this.#view);
        void surface.surface.release();
      },
    };
  }

  /** Tells the pages that something around the conversations (key, URL, settings) has changed. */
  viewStateChanged(): void {
    for (const page of this.#pages) page.viewStateChanged();
  }

  #use(surface: Surface): void {
    if (this.#inUse === surface) return;
    this.#inUse = surface;
    this.#switches.fire();
  }

  async #inView(open: () => Lease | Promise<Lease>, aside = false): Promise<void> {
    const isElsewhere = this.#inUse !== this.#view;
    await this.#view.surface.go(open, aside);
    this.#use(this.#view);
    if (isElsewhere) this.#deps.showView();
  }

  #add(added: Surface): { readonly page: HostedPage; readonly owned: Disposables } {
    const { surface, tab } = added;
    const { titles, acts } = this.#deps;
    this.#surfaces.add(added);
    const owned = new Disposables();
    owned.add(surface.onSwitch(() => this.#inUse === added && this.#switches.fire()));
    const tellTitle = () => tab?.setTitle(titles.of(surface.session.id));
    owned.add(titles.onChange(tellTitle));
    owned.add(surface.onSwitch(tellTitle));
    tellTitle();
    const page = owned.add(
      createPageHost({
        ...this.#deps,
        surface,
        // Commands refer to the surface in use, so other pages must not receive them.
        acts: {
          fire: acts.fire.bind(acts),
          on: (listener) => acts.on((act) => this.#inUse === added && listener(act)),
        },
        use: () => this.#use(added),
        newConversation: () => this.newConversation(),
        goBack: async () => {
          if (surface.before !== undefined) await this.open(surface.before.id);
        },
        branch: (turn) => this.branch(turn, surface.session),
      }),
    );
    this.#pages.add(page);
    owned.add({ dispose: () => this.#pages.delete(page) });
    return { page, owned };
  }
}
