// What the core may say to the log. Whoever implements it removes the key; nobody logs bodies.

export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
