// Which certificate authorities are trusted: Node's own, the system's, and what NODE_EXTRA_CA_CERTS names. Only
// ever adds: there is no way to trust less carefully.
import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import type { Environment } from "./proxy.ts";

export interface CertificateSettings {
  /** `http.systemCertificates`. */
  readonly system?: boolean;
  /** PEM texts. */
  readonly extra?: readonly string[];
}

/** What Node knows of authorities. It can read the system's from 22.15; before, they cannot be had. */
export interface KnownAuthorities {
  readonly rootCertificates: readonly string[];
  getCACertificates?(type: "system" | "default"): readonly string[];
}

/** `undefined` when there is nothing to add, so that Node's ready-made list is used. */
export function trustedCertificates(
  settings: CertificateSettings,
  environment: Environment,
  node: KnownAuthorities = tls as KnownAuthorities,
): readonly string[] | undefined {
  const known = (type: "system" | "default") => knownOf(node, type);
  const added = [
    ...(settings.system === false ? [] : known("system")),
    ...readExtra(environment["NODE_EXTRA_CA_CERTS"]),
    ...(settings.extra ?? []),
  ];
  if (added.length === 0) return undefined;
  const own = known("default");
  return [...new Set([...(own.length > 0 ? own : node.rootCertificates), ...added])];
}

function knownOf(node: KnownAuthorities, type: "system" | "default"): readonly string[] {
  try {
    return node.getCACertificates?.(type) ?? [];
  } catch {
    // A system whose store cannot be read is one that adds nothing.
    return [];
  }
}

function readExtra(file: string | undefined): readonly string[] {
  if (file === undefined || file === "") return [];
  try {
    return [readFileSync(file, "utf8")];
  } catch {
    // Node itself only warns about a file that cannot be read.
    return [];
  }
}
