// Which authorities are trusted besides Node's own. On Node 20 the system's cannot be read: there NODE_EXTRA_CA_CERTS and the
// settings name what is missing; from 22.15 they are read, unless `http.systemCertificates` says no.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addedCertificates,
  type SystemAuthorities,
} from "../../../src/service/internal/trusted-authorities.ts";
import { certificate, certificateFile } from "../../support/tls-service.ts";

const old: SystemAuthorities = {};
let asked = 0;
const modern: SystemAuthorities = {
  getCACertificates() {
    asked++;
    return ["of the system", "of both"];
  },
};
const extra = { NODE_EXTRA_CA_CERTS: certificateFile("authority") };

test("addedCertificates adds the system's authorities without duplicates if Node can read them", () => {
  assert.deepEqual(addedCertificates({ extra: ["of both"] }, {}, modern), ["of the system", "of both"]);
});

test("addedCertificates does not read the system's authorities if the setting is off", () => {
  asked = 0;
  assert.deepEqual(addedCertificates({ system: false }, {}, modern), []);
  assert.equal(asked, 0);
});

test("addedCertificates adds nothing if Node cannot read the system's authorities", () => {
  assert.deepEqual(addedCertificates({}, {}, old), []);
  assert.deepEqual(addedCertificates({ system: true }, {}, old), []);
});

test("addedCertificates adds those of the settings and of NODE_EXTRA_CA_CERTS on an old Node", () => {
  const added = addedCertificates({ extra: ["of the settings"] }, extra, old);
  assert.deepEqual(added, [certificate("authority"), "of the settings"]);
});

test("addedCertificates keeps the configured certificates if reading the system store throws", () => {
  const broken: SystemAuthorities = {
    getCACertificates() {
      throw new Error("No store.");
    },
  };
  assert.deepEqual(addedCertificates({}, {}, broken), []);
  assert.deepEqual(addedCertificates({ extra: ["added"] }, {}, broken), ["added"]);
});
