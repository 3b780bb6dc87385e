// The log channel. Every line goes through the masks of all keys that were live in this window, whoever writes it.
import * as vscode from "vscode";
import type { Log } from "../core/util/log.ts";
import { createMask, type Mask } from "../core/util/mask.ts";

export interface LogChannel extends Log, vscode.Disposable {
  /** From now on this text never appears. */
  hide(secret: string): void;
  show(): void;
}

export function createLogChannel(): LogChannel {
  const channel = vscode.window.createOutputChannel("Patchbay", { log: true });
  const masks = new Map<string, Mask>([["", createMask("")]]);
  const clean = (text: string) => [...masks.values()].reduce((masked, mask) => mask(masked), text);
  return {
    // Told at every request: a mask is made once.
    hide(secret) {
      if (!masks.has(secret)) masks.set(secret, createMask(secret));
    },
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
