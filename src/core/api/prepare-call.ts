// Service URL and key as an operation needs them: read at its start, and the key again before each of its requests,
// since a person may have removed it while the operation waited (requirements A12).

import { createHmac } from "node:crypto";
import type { Problem } from "../conversation/problem.ts";
import { message } from "../messages/message.ts";
import { createMask, type Mask } from "../util/mask.ts";
import { readBaseUrl } from "./address.ts";
import type { Call } from "./call.ts";
import { localProblem } from "./errors.ts";
import { ApiError } from "./fault.ts";
import { readKey } from "./key.ts";

export interface Connection {
  readonly baseUrl: string;
  readonly key: string;
  /** A person has agreed to send the key to this address unencrypted. */
  readonly plainHttp?: boolean;
}

/** Asked for each request, so that a changed key or address is used at once. */
export type Connect = () => Promise<Connection | Problem>;

export interface ReadConnection {
  readonly address: Call["address"];
  readonly key: string;
}

export async function readConnection(connect: Connect): Promise<ReadConnection | Problem> {
  const connection = await connect().catch(() =>
    localProblem("no-key", message("problemKeyLost"), ["set-key"]),
  );
  if (!("baseUrl" in connection)) return connection;
  const address = readBaseUrl(connection.baseUrl, () => connection.plainHttp === true);
  if (!address.ok) return localProblem("not-configured", address.message, ["set-base-url"]);
  const key = readKey(connection.key);
  return key.ok ? { address, key: key.key } : localProblem("no-key", key.message, ["set-key"]);
}

/** The key of one operation, what hides every key that it has had, and what the last of them makes. */
export function keyOf(
  connect: Connect,
  first: ReadConnection,
): Pick<Call, "key" | "keys" | "mask" | "maker"> {
  let last = first.key;
  const masks = new Map<string, Mask>([[first.key, createMask(first.key)]]);
  return {
    keys: () => [...masks.keys()],
    mask: (text, most) => [...masks.values()].reduce((masked, mask) => mask(masked, most), text),
    maker: (conversation) => makerOf(last, first.address.origin, conversation),
    async key() {
      const now = await readConnection(connect);
      if (!("address" in now)) throw new ApiError({ at: "unconnected", problem: now });
      // A key is bound to the origin it was entered for.
      if (now.address.origin !== first.address.origin)
        throw new ApiError({ at: "unconnected", problem: addressChanged });
      if (!masks.has(now.key)) masks.set(now.key, createMask(now.key));
      last = now.key;
      return last;
    },
  };
}

const addressChanged = localProblem("refused-locally", message("problemAddressChanged"), ["retry"]);

/**
 * Tells what the service made under one key and address from what it made under others (requirements E12), within one
 * conversation: in the next it is another. Two bytes of a digest are kept, too few to find a key by.
 */
export const makerOf = (key: string, origin: string, conversation: string): string =>
  createHmac("sha256", key)
    .update(JSON.stringify([origin, conversation]))
    .digest("hex")
    .slice(0, 4);
