// The certificate authorities that are trusted besides Node's own: of the settings, the system and the environment.

import { readFileSync } from "node:fs";
import * as tls from "node:tls";
import type { Environment } from "./proxy.ts";

export interface CertificateSettings {
  /** `http.systemCertificates`. */
  readonly system?: boolean;
  /** PEM texts. */
  readonly extra?: readonly string[];
}

/** Node can read the system's authorities from 22.15 on; earlier versions cannot. */
export interface SystemAuthorities {
  getCACertificates?(type: "system"): readonly string[];
}

/**
 * The certificate authorities that are trusted in addition to Node's own: the system's, and those in
 * NODE_EXTRA_CA_CERTS and the settings. It only adds authorities; certificate checks cannot be weakened. Without
 * duplicates; empty if Node's built-in list suffices.
 */
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
    // A system whose store cannot be read adds nothing.
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

/** Adds authorities to Node's own context, which has the certificates that Node has already read. */
export function trusting(authorities: readonly string[]): tls.SecureContext {
  const secure = tls.createSecureContext();
  const own = new Set(tls.rootCertificates);
  for (const each of authorities) if (!own.has(each)) secure.context.addCACert(each);
  return secure;
}
