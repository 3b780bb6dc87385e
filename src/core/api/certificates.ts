// Which certificate authorities are trusted besides Node's own: the system's, and what NODE_EXTRA_CA_CERTS and the settings
// name. Only ever adds: there is no way to trust less carefully.
import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import type { Environment } from "./proxy.ts";

export interface CertificateSettings {
  /** `http.systemCertificates`. */
  readonly system?: boolean;
  /** PEM texts. */
  readonly extra?: readonly string[];
}

/** Node can read the system's authorities from 22.15; before, they cannot be had. */
export interface SystemAuthorities {
  getCACertificates?(type: "system"): readonly string[];
}

/** Each once; none where Node's ready-made list is all there is. */
export function addedCertificates(
  settings: CertificateSettings,
  environment: Environment,
  node: SystemAuthorities = tls as SystemAuthorities,
): readonly string[] {
  const added = [
    ...(settings.system === false ? [] : systemOf(node)),
    ...readExtra(environment["NODE_EXTRA_CA_CERTS"]),
    ...(settings.extra ?? []),
  ];
  return [...new Set(added)];
}

function systemOf(node: SystemAuthorities): readonly string[] {
  try {
    return node.getCACertificates?.("system") ?? [];
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
