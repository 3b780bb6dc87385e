// The log channel, and the one place where secrets leave a text before anybody can read it: the live key by its
// value, and whatever looks like one by its shape.
import * as vscode from "vscode";
import type { Log } from "../core/util/log.ts";
import { redact } from "../core/util/redact.ts";

export interface LogChannel extends Log, vscode.Disposable {
  /** From now on this text never appears. */
  hide(secret: string): void;
  show(): void;
}

export function createLogChannel(): LogChannel {
  const channel = vscode.window.createOutputChannel("Patchbay", { log: true });
  const secrets = new Set<string>();
  const clean = (text: string) => redact(text, secrets);
  return {
    hide: (secret) => void secrets.add(secret),
    debug: (message) => channel.debug(clean(message)),
    info: (message) => channel.info(clean(message)),
    warn: (message) => channel.warn(clean(message)),
    // Of an error only its words: objects of network errors carry request headers.
    error: (message, cause) =>
      channel.error(clean(cause instanceof Error ? `${message} ${cause.stack ?? cause.message}` : message)),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}
