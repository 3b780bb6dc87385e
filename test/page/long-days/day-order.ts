// What the process of a long day is told by its parent, which stands for the editor, and what it says.
import type { ToPage } from "../../../src/bridge/protocol.ts";
import type { Turn } from "../../../src/conversation/state.ts";

/** What it is started with. */
export interface DayOrder {
  readonly url: string;
  readonly key: string;
  /** Where everything is kept. */
  readonly folder: string;
  /** The folder that the workspace's folder lies in. */
  readonly root: string;
  /** The conversation that was shown last. */
  readonly last: string | undefined;
}

export const workspaceFolder = "work";

export interface Figures {
  /** Bytes of the heap that are in use after garbage was collected, and of buffers beside it. */
  readonly heap: number;
  readonly timers: number;
  readonly listeners: number;
  /** Files and sockets that are open, where the system tells it. */
  readonly descriptors: number | undefined;
}

/** `page`: something the page has posted. */
export type ToDay =
  | { readonly what: "page"; readonly message: unknown }
  | { readonly what: "do"; readonly number: number; readonly wish: Wish };

export type Wish =
  | { readonly what: "new" }
  | { readonly what: "open"; readonly conversation: string }
  /** As the review decides. */
  | { readonly what: "accept" | "reject" | "undo"; readonly call: string }
  | { readonly what: "figures" }
  | { readonly what: "close" };

export type FromDay =
  | { readonly what: "ready" }
  | { readonly what: "page"; readonly message: ToPage }
  /** Another conversation is shown. */
  | { readonly what: "shown"; readonly conversation: string }
  /** This turn has ended, or what it did was taken back. */
  | { readonly what: "turn"; readonly conversation: string; readonly turn: Turn }
  | { readonly what: "done"; readonly number: number; readonly figures?: Figures; readonly failed?: string };
