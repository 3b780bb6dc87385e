// The log channel. Every line is masked for all keys used in this window, whoever writes it.
import * as vscode from "vscode";
import type { Log } from "../util/log.ts";
import { createMask, type Mask } from "../util/mask-secrets.ts";

export interface LogChannel extends Log, vscode.Disposable {
  /** From now on this text is masked. */
  hide(secret: string): void;
  show(): void;
}

export function createLogChannel(): LogChannel {
  const channel = vscode.window.createOutputChannel("Patchbay", { log: true });
  const masks = new Map<string, Mask>([["", createMask("")]]);
  const clean = (text: string) => [...masks.values()].reduce((masked, mask) => mask(masked), text);
  return {
    // Called for every request, so a mask is created only once.
    hide(secret) {
      if (!masks.has(secret)) masks.set(secret, createMask(secret));
    },
    debug: (message) => channel.debug(clean(message)),
    info: (message) => channel.info(clean(message)),
    warn: (message) => channel.warn(clean(message)),
    // Of an error, only its message and stack are logged: network errors may carry request headers.
    error: (message, cause) =>
      channel.error(clean(cause instanceof Error ? `${message} ${cause.stack ?? cause.message}` : message)),
    show: () => channel.show(true),
    dispose: () => channel.dispose(),
  };
}
