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

/** `undefined` when there is nothing to add, so that Node's ready-made list is used. */
export function trustedCertificates(
  settings: CertificateSettings,
  environment: Environment,
): readonly string[] | undefined {
  const added = [
    ...(settings.system === false ? [] : known("system")),
    ...readExtra(environment["NODE_EXTRA_CA_CERTS"]),
    ...(settings.extra ?? []),
  ];
  if (added.length === 0) return undefined;
  const own = known("default");
  return [...new Set([...(own.length > 0 ? own : tls.rootCertificates), ...added])];
}

/** Node has this from 22.15; without it the system's list cannot be read. */
function known(type: "system" | "default"): readonly string[] {
  const read = (tls as { getCACertificates?: (type: string) => string[] }).getCACertificates;
  try {
    return read?.(type) ?? [];
  } catch {
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
