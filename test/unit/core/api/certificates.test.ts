// Which authorities are trusted. On Node 20 the system's cannot be read: there NODE_EXTRA_CA_CERTS and the settings
// name what is missing; from 22.15 they are read, unless `http.systemCertificates` says no.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as tls from "node:tls";
import { type KnownAuthorities, trustedCertificates } from "../../../../src/core/api/certificates.ts";
import { certificate, certificateFile } from "../../../support/tls-service.ts";

const old: KnownAuthorities = { rootCertificates: ["own"] };
const asked: string[] = [];
const modern: KnownAuthorities = {
  rootCertificates: ["own"],
  getCACertificates(type) {
    asked.push(type);
    return type === "system" ? ["of the system", "own"] : ["own", "of the environment"];
  },
};
const extra = { NODE_EXTRA_CA_CERTS: certificateFile("authority") };

test("where Node can read the system's authorities, they are trusted beside its own, each once", () => {
  assert.deepEqual(trustedCertificates({}, {}, modern), ["own", "of the environment", "of the system"]);
});

test("the system's authorities are not even read where the setting says no", () => {
  asked.length = 0;
  assert.equal(trustedCertificates({ system: false }, {}, modern), undefined);
  assert.deepEqual(asked, []);
});

test("where Node cannot read them, its own list stays as it is", () => {
  assert.equal(trustedCertificates({}, {}, old), undefined);
  assert.equal(trustedCertificates({ system: true }, {}, old), undefined);
});

test("where Node cannot read them, the settings and NODE_EXTRA_CA_CERTS add to its own", () => {
  const added = trustedCertificates({ extra: ["of the settings"] }, extra, old);
  assert.deepEqual(added, ["own", certificate("authority"), "of the settings"]);
});

test("a system store that cannot be read takes no trust away", () => {
  const broken: KnownAuthorities = {
    rootCertificates: ["own"],
    getCACertificates() {
      throw new Error("No store.");
    },
  };
  assert.equal(trustedCertificates({}, {}, broken), undefined);
  assert.deepEqual(trustedCertificates({ extra: ["added"] }, {}, broken), ["own", "added"]);
});

test("whatever Node runs this, every authority that it trusts by itself stays trusted", () => {
  const trusted = new Set(trustedCertificates({ extra: [certificate("authority")] }, {}));
  assert.ok(trusted.has(certificate("authority")));
  const own = (tls as KnownAuthorities).getCACertificates?.("default") ?? tls.rootCertificates;
  assert.deepEqual(
    own.filter((one) => !trusted.has(one)),
    [],
  );
});
