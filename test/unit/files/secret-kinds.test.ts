// Kinds of secrets as people keep them, each with 60 values that are drawn: in test/fixtures/secrets one table of our own,
// and one of somebody who had not seen what is searched for.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { takeOutSecrets } from "../../../src/files/privacy.ts";
import { withoutSecrets } from "../../support/corpus.ts";
import { readSecretKinds, type SecretKind, samplesOf } from "../../support/secret-kinds.ts";

const samples = 60;
const [own, unseen] = [readSecretKinds("kinds"), readSecretKinds("unseen-kinds")];
const isSecret = ({ benign }: SecretKind) => benign !== true;

/** Of 60. */
const takenOut = (kind: SecretKind): number =>
  samplesOf(kind, samples, 11).filter(({ text, secrets }) => {
    const clean = withoutSecrets(text);
    return secrets.every((secret) => !clean.includes(secret));
  }).length;

describe("the removal of secrets by kind", () => {
  for (const [whose, kinds] of [
    ["our own", own.filter(isSecret)],
    ["somebody else's", unseen.filter(isSecret)],
  ] as const)
    test(`removes 97 of 100 values of ${whose} kinds, and 9 of 10 of each`, () => {
      const counts = kinds.map((kind) => [kind.kind, takenOut(kind)] as const);
      const all = counts.reduce((sum, [, count]) => sum + count, 0);
      assert.ok(all >= 0.97 * samples * kinds.length, `${all} of ${samples * kinds.length}`);
      assert.deepEqual(
        counts.filter(([, count]) => count < 0.9 * samples),
        [],
      );
    });

  test("is tested with at least 80 kinds, a third of them written without knowing the shapes", () => {
    const [ours, theirs] = [own.filter(isSecret).length, unseen.filter(isSecret).length];
    assert.ok(ours + theirs >= 80, `${ours + theirs}`);
    assert.ok(theirs >= (ours + theirs) / 3, `${theirs}`);
    const names = [...own, ...unseen].map(({ kind }) => kind);
    assert.equal(new Set(names).size, names.length);
  });
});

/** As they stand in packages, in documentation and in tests of other people's. */
const lookAlikes = [
  `pass: 'Element does not have a tabindex greater than 0',`,
  `"pass": "Hutsik ez dauden datu-gelaxka guztiek taula-goiburuak dituzte",`,
  `"pass": "headers属性はテーブル内の他のヘッダーセルを参照するためだけに使用されています",`,
  "token: `Basic ${" + "Buffer.from('username:password').toString('base64')}`,",
  `'crc-16-buypass',   'Crc16Buypass',     0x18005,        NON_REVERSE,`,
  "Mg.bypass=Mg.css=Mg.style;Mg.renderedCss=Mg.renderedStyle;Mg.removeBypass=Mg.removeCss=Mg.removeStyle",
  `newpass: "{{ lookup('password', output_dir + '/lookup/password length=8') }}"`,
  'TEST_FILE_ENC_PASSWORD_DEFAULT="${' + 'MYTMPDIR}/test_file_enc_password_default"',
  `"spring.liquibase.password=some-password", "spring.liquibase.driver-class-name=org.h2.Driver")`,
  `'Authorization': b'Basic dXNlcjpwYXNzd2Q=',`,
  `http://www.example.com/path?access_token=h480djs93hd8`,
  `{ password: "aaaaaaaa", confirmPassword: "bbbbbbbb" }`,
  "insertToken(currentToken, html_js_1.NS.SVG);",
  "Dl=Pn++,CustomToken,bw=Pn++,yk=Pn++,ww=Pn++,_w=Pn++,vw=Pn++,Sw=Pn++,yw=Pn++,Fk=Pn++",
  "adjustTokenSVGTagName = adjustTokenSVGTagName;",
  "const HTTP_QUOTED_STRING_TOKENS = /^[\\u0009\\u0020-\\u007E\\u0080-\\u00FF]+$/u",
  `publicKeyToken="6595b64144ccf1df"`.replace("6595b64144ccf1df", "b77a5c"),
  "AI_GATEWAY_API_KEY=xxxxxxxxx",
  "passwordAlgorithm: Pbkdf2Sha512,",
  `"kind": "Secret", "data": {}`,
  "kind: SecretStore\ndata:\n  key: value\n",
  "kind: Secret\nmetadata:\n  name: a\ndata:\n  username: YWRtaW4=\n",
  "mkdir -p build/output && cp -u user:group file && docker run -u 1000:1000 image",
  "curl -u user:password https://api.example.com",
  "machine example.com login yourlogin password yourpassword",
  "proxy = http://user:pass@proxy.example.com:8080",
  `const STORAGE_KEY = "workbench.panel.chat.view.copilot.width";`,
  `{ "integrity": "sha512-${"Zm9v".repeat(21)}==" }`,
  `"wachtwoord": { "password": "Wachtwoordherstellen", "passwordLabel": "zapomnianeHaslo" }`,
  `AWSAccountID: ["${["AKIA", "IOSFODNN7EXAMPLE"].join("")}"],`,
  `id: ${["AKIA", "IOSFODNN7EXAMPLE"].join("")}`,
];

describe("the removal of secrets from look-alikes", () => {
  for (const text of lookAlikes)
    test(`leaves ${JSON.stringify(text.slice(0, 60))}`, () =>
      assert.deepEqual(takeOutSecrets(text), { text, removed: 0 }));

  for (const kind of unseen.filter(({ benign }) => benign === true))
    test(`leaves every sample of ${kind.kind}`, () => {
      for (const { text } of samplesOf(kind, samples, 11)) assert.equal(withoutSecrets(text), text);
    });

  test("leaves accepted gaps: a key in two pieces, a placeholder, a word", () => {
    for (const text of [
      `const key = "sk-ant-" + "api03-";`,
      'apiKey: "your-api-key-here"',
      "DB_PASSWORD=changeme",
      `STRIPE=${["sk", "test", "x".repeat(24)].join("_")}`,
      'password: "open sesame"',
    ])
      assert.equal(withoutSecrets(text), text);
  });
});
