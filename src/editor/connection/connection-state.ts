// The service URL and key for a request, or the problem that prevents it. Read for each request; the last result is
// kept for those who only display it.
import * as vscode from "vscode";
import { message } from "../../conversation/messages.ts";
import type { Problem } from "../../conversation/problem.ts";
import { type Connection, type KeyWatcher, readBaseUrl } from "../../service/url-and-key.ts";
import type { LogChannel } from "../log.ts";
import { contextKeys } from "../manifest.ts";
import type { StartSettings } from "../settings/start-settings.ts";
import type { Keys } from "./credentials.ts";

/** `url` ends in "/v1"; a key is bound to `origin`. */
export interface Address {
  readonly url: string;
  readonly origin: string;
}

export interface ConnectionState extends vscode.Disposable {
  /** The problem found by the last check. */
  readonly problem: Problem | undefined;
  /**
   * Set while the service rejects the key. Requests are sent all the same: only the service knows when it will accept
   * it.
   */
  readonly refusal: Problem | undefined;
  /** Why the service could not be reached at the last attempt. */
  readonly unreached: Problem | undefined;
  /** Whether the service was unreachable, busy or failing at the last request. */
  readonly isOut: boolean;
  /** Whether the service has accepted the current key in this window. */
  readonly isProven: boolean;
  /** Receives what requests learn about the key. */
  readonly keyWatcher: KeyWatcher;
  readonly onDidChange: vscode.Event<void>;
  address(): Address | Problem;
  current(): Promise<Connection | Problem>;
  /** Records the user's consent to send the key to this origin unencrypted, from this computer. */
  allowPlainHttp(origin: string): Promise<void>;
  forgetPlainHttp(): Promise<void>;
}

const plainHttpSlot = "plainHttp";
/** Key in the global state: the URL whose service has accepted the current key, in any window. */
const provenSlot = "proven";

export function createConnection(
  settings: Pick<StartSettings, "baseUrl">,
  keys: Keys,
  memory: vscode.Memento,
  log: LogChannel,
): ConnectionState {
  const changed = new vscode.EventEmitter<void>();
  let problem: Problem | undefined;
  let refusal: Problem | undefined;
  let unreached: Problem | undefined;
  let isOut = false;
  /** The connection that was accepted, as JSON. */
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

  /** Reads the connection again: the notice of a new key may arrive after the service's response to it. */
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
      // When the user then sets the key, they are offered to keep it for this window (requirements A13).
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
  /** The result of the last check, as JSON. */
  let seen = "";
  async function look(): Promise<void> {
    looks += 1;
    const looking = looks;
    const found = await current();
    // URL and key may change at once: the check that began last counts, whichever ends last.
    if (looking !== looks) return;
    problem = "kind" in found ? found : undefined;
    // Results of another service or key do not apply to the new one.
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
