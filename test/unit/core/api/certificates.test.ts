// Which authorities are trusted besides Node's own. On Node 20 the system's cannot be read: there NODE_EXTRA_CA_CERTS and the
// settings name what is missing; from 22.15 they are read, unless `http.systemCertificates` says no.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addedCertificates, type SystemAuthorities } from "../../../../src/core/api/certificates.ts";
import { certificate, certificateFile } from "../../../support/tls-service.ts";

const old: SystemAuthorities = {};
let asked = 0;
const modern: SystemAuthorities = {
  getCACertificates() {
    asked++;
    return ["of the system", "of both"];
  },
};
const extra = { NODE_EXTRA_CA_CERTS: certificateFile("authority") };

test("where Node can read the system's authorities, they are added, each once", () => {
  assert.deepEqual(addedCertificates({ extra: ["of both"] }, {}, modern), ["of the system", "of both"]);
});

test("the system's authorities are not even read where the setting says no", () => {
  asked = 0;
  assert.deepEqual(addedCertificates({ system: false }, {}, modern), []);
  assert.equal(asked, 0);
});

test("where Node cannot read them, nothing is added", () => {
  assert.deepEqual(addedCertificates({}, {}, old), []);
  assert.deepEqual(addedCertificates({ system: true }, {}, old), []);
});

test("where Node cannot read them, the settings and NODE_EXTRA_CA_CERTS add to its own", () => {
  const added = addedCertificates({ extra: ["of the settings"] }, extra, old);
  assert.deepEqual(added, [certificate("authority"), "of the settings"]);
});

test("a system store that cannot be read takes nothing of the rest away", () => {
  const broken: SystemAuthorities = {
    getCACertificates() {
      throw new Error("No store.");
    },
  };
  assert.deepEqual(addedCertificates({}, {}, broken), []);
  assert.deepEqual(addedCertificates({ extra: ["added"] }, {}, broken), ["added"]);
});
