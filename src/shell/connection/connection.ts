// Service URL and key together: what a request goes out with, or the problem that keeps it here. Asked per
// request; the last answer is remembered for those who only show it.

import * as vscode from "vscode";
import { type Connection, readBaseUrl } from "../../core/api/url-and-key.ts";
import type { KeyWatcher } from "../../core/api/watch-key.ts";
import type { Problem } from "../../core/conversation/problem.ts";
import { message } from "../../core/messages/message.ts";
import type { LogChannel } from "../log.ts";
import { contextKeys } from "../manifest.ts";
import type { Settings } from "../settings.ts";
import type { Keys } from "./key-store.ts";

/** `url` ends in "/v1"; a key is bound to `origin`. */
export interface Address {
  readonly url: string;
  readonly origin: string;
}

export interface ConnectionState extends vscode.Disposable {
  /** The problem found when anybody last looked. */
  readonly problem: Problem | undefined;
  /** The service does not take the key that is set. It may be sent all the same: only the service knows when it will. */
  readonly refusal: Problem | undefined;
  /** Why the service could not be reached when it was last tried. */
  readonly unreached: Problem | undefined;
  /** It was away, busy or broken when it was asked last. */
  readonly isOut: boolean;
  /** The service has taken the key: what is set now has been seen to work in this window. */
  readonly isProven: boolean;
  /** What any operation has heard about the key. */
  readonly keyWatcher: KeyWatcher;
  readonly onDidChange: vscode.Event<void>;
  address(): Address | Problem;
  current(): Promise<Connection | Problem>;
  /** A person agrees to send the key to this origin unencrypted, from this computer. */
  allowPlainHttp(origin: string): Promise<void>;
  forgetPlainHttp(): Promise<void>;
}

const plainHttpSlot = "plainHttp";
/** The URL whose service has taken the key that is set: in another window, or before a restart. */
const provenSlot = "proven";

export function createConnection(
  settings: Settings,
  keys: Keys,
  memory: vscode.Memento,
  log: LogChannel,
): ConnectionState {
  const changed = new vscode.EventEmitter<void>();
  let problem: Problem | undefined;
  let refusal: Problem | undefined;
  let unreached: Problem | undefined;
  let isOut = false;
  /** The connection that was seen to work. */
  let proven: string | undefined;

  function setRefusal(next: Problem | undefined): void {
    if (isSame(next, refusal)) return;
    refusal = next;
    void vscode.commands.executeCommand("setContext", contextKeys.keyInvalid, next !== undefined);
    changed.fire();
  }

  function setUnreached(next: Problem | undefined): void {
    if (isSame(next, unreached)) return;
    unreached = next;
    changed.fire();
  }

  function setAnswers(isThere: boolean): void {
    if (isOut === !isThere) return;
    isOut = !isThere;
    changed.fire();
  }

  function setProven(next: Connection | undefined): void {
    if (memory.get(provenSlot) !== next?.baseUrl) void memory.update(provenSlot, next?.baseUrl);
    const now = next && JSON.stringify(next);
    if (now === proven) return;
    proven = now;
    void vscode.commands.executeCommand("setContext", contextKeys.connected, next !== undefined);
  }

  /** Word of a new key may come later than the service's answer to it. */
  async function prove(): Promise<void> {
    const found = await current();
    if (!("kind" in found)) setProven(found);
  }

  const plainOrigins = () => memory.get<readonly string[]>(plainHttpSlot, []);
  const isPlainAllowed = (origin: string) => plainOrigins().includes(origin);

  async function keepPlainHttp(origins: readonly string[] | undefined): Promise<void> {
    await memory.update(plainHttpSlot, origins);
    lookAgain();
  }

  function address(): Address | Problem {
    const baseUrl = settings.baseUrl();
    if (baseUrl === "") {
      return { kind: "not-configured", message: message("addressUnknown"), actions: ["set-base-url"] };
    }
    const read = readBaseUrl(baseUrl, isPlainAllowed);
    if (read.ok) return read;
    return { kind: "not-configured", message: read.message, actions: ["set-base-url"] };
  }

  async function current(): Promise<Connection | Problem> {
    const found = address();
    if ("kind" in found) return found;
    let key: string | undefined;
    try {
      key = await keys.get(found.origin);
    } catch (error) {
      log.error("The secret store could not be read.", error);
      // Whoever sets the key then is offered to keep it for this window (requirements A13).
      return { kind: "no-key", message: message("keyStore"), actions: ["set-key"] };
    }
    if (key === undefined) {
      const why = message("keyMissing", { origin: found.origin });
      return { kind: "no-key", message: why, actions: ["set-key"] };
    }
    log.hide(key);
    return { baseUrl: found.url, key, plainHttp: isPlainAllowed(found.origin) };
  }

  let looks = 0;
  /** What was there at the last look. */
  let seen = "";
  async function look(): Promise<void> {
    looks += 1;
    const looking = looks;
    const found = await current();
    // Address and key may change together: the last look is the true one, whichever ends last.
    if (looking !== looks) return;
    problem = "kind" in found ? found : undefined;
    // What was heard of another service or key says nothing about these.
    const now = JSON.stringify(found);
    if (now !== seen) {
      setRefusal(undefined);
      unreached = undefined;
      isOut = false;
    }
    const isFirst = seen === "";
    seen = now;
    if (isFirst && !("kind" in found) && memory.get(provenSlot) === found.baseUrl) setProven(found);
    else if (proven !== now) setProven(undefined);
    const configured = problem?.kind !== "not-configured";
    await vscode.commands.executeCommand("setContext", contextKeys.configured, configured);
    await vscode.commands.executeCommand("setContext", contextKeys.hasKey, problem === undefined);
    changed.fire();
  }
  const lookAgain = () =>
    void look().catch((error: unknown) => log.error("The key could not be read.", error));

  lookAgain();
  const subscriptions = vscode.Disposable.from(
    changed,
    keys.onDidChange(lookAgain),
    vscode.workspace.onDidChangeConfiguration(
      (change) => change.affectsConfiguration("patchbay.baseUrl") && lookAgain(),
    ),
  );
  return {
    get problem() {
      return problem;
    },
    get refusal() {
      return refusal;
    },
    get unreached() {
      return unreached;
    },
    get isOut() {
      return isOut;
    },
    get isProven() {
      return proven !== undefined;
    },
    keyWatcher: {
      refused: setRefusal,
      accepted() {
        setRefusal(undefined);
        if (proven === undefined) void prove();
      },
      reached: setUnreached,
      answers: setAnswers,
    },
    onDidChange: changed.event,
    address,
    current,
    allowPlainHttp: (origin) => keepPlainHttp([...new Set([...plainOrigins(), origin])]),
    forgetPlainHttp: () => keepPlainHttp(undefined),
    dispose: () => subscriptions.dispose(),
  };
}

const isSame = (one: Problem | undefined, other: Problem | undefined): boolean =>
  JSON.stringify(one?.message) === JSON.stringify(other?.message);
