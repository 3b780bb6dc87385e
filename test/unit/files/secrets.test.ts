import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { secretNames } from "../../../src/files/internal/secret-file-names.ts";
import { secretShapes } from "../../../src/files/internal/secret-shapes.ts";
import { isRandom } from "../../../src/files/internal/secret-values.ts";
import { cleanText, secretMark, takeOutSecrets } from "../../../src/files/privacy.ts";
import { isSecretName, withoutSecrets } from "../../support/corpus.ts";
import { assignedSecrets, awsPair, drawnSecrets, pem, sampleSecrets } from "../../support/sample-secrets.ts";

for (const [name, secret] of Object.entries(sampleSecrets))
  test(`takeOutSecrets removes ${name} in any place, and nothing beside it`, () => {
    const places = [
      (each: string) => each,
      (each: string) => `const key = "${each}";\nnext();`,
      (each: string) => `KEY=${each}\nOTHER=1`,
      (each: string) => `see <${each}>, please`,
      (each: string) => `{"a": "${each.replaceAll("\n", "\\n")}"}`,
    ];
    for (const place of places) {
      const written = place(secret);
      const { text, removed } = takeOutSecrets(written);
      assert.ok(removed > 0, written);
      for (const line of secret.split("\n"))
        if (!line.startsWith("---")) assert.ok(!text.includes(line), `${written} → ${text}`);
      assert.equal(text.split("\n").length, written.split("\n").length);
      assert.ok(text.endsWith(written.slice(-1)) || written === secret || written.endsWith(secret));
    }
  });

test("takeOutSecrets removes values assigned to secret-like names in every language's syntax", () => {
  for (const [line, secret] of assignedSecrets) {
    const { text } = takeOutSecrets(`first\n${line}\nlast`);
    assert.equal(text, `first\n${line.replace(secret, secretMark)}\nlast`);
  }
});

test("takeOutSecrets knows a password by its name at the start of a text", () => {
  for (const name of ["pass", "dbpass"])
    assert.equal(takeOutSecrets(`${name}=h7Kq2.zPw9`).text, `${name}=${secretMark}`, name);
  assert.equal(takeOutSecrets("xpass=h7Kq2.zPw9").text, "xpass=h7Kq2.zPw9");
});

test("takeOutSecrets removes nine of ten random keys that are assigned, from any alphabet", () => {
  for (const [from, count, write] of drawnSecrets) {
    const letter = fc.constantFrom(...from);
    const drawn = fc.string({ unit: fc.noBias(letter), minLength: count, maxLength: count });
    const secrets = fc.sample(fc.noBias(drawn), { numRuns: 400, seed: 7 });
    const passed = secrets.filter((secret) => withoutSecrets(`a\n${write(secret)}\nb`).includes(secret));
    assert.ok(passed.length <= secrets.length / 10, `${passed.length}: ${write(passed[0] ?? "")}`);
  }
});

test("takeOutSecrets removes the secret of an AWS pair only beside its id", () => {
  const text = takeOutSecrets(`id ${awsPair.id}\nand ${awsPair.secret}\n`).text;
  assert.equal(text, `id ${secretMark}\nand ${secretMark}\n`);
  const alone = `and ${awsPair.secret}\n`;
  assert.equal(takeOutSecrets(alone).text, alone);
});

test("every secret shape matches the samples it describes", () => {
  const found = (sample: string) => !withoutSecrets(`x = (${sample})`).includes(sample);
  for (const { name, pattern, isWeak } of secretShapes) {
    const plain = pattern.source.replace(/\(\?<?[!=](?:\[[^\]]*\]|\((?:\?:)?[^()]*\)|[^()[\]])*\)/g, "");
    // Of what a weak prefix begins, only what looks drawn is one.
    for (const sample of fc.sample(fc.stringMatching(new RegExp(`^${plain}$`)), { numRuns: 3, seed: 7 }))
      assert.ok(found(sample) || (isWeak && !isRandom(sample)), `${name}: ${sample}`);
  }
  assert.ok(secretShapes.length >= 40);
  assert.ok(secretShapes.every(({ sources }) => /^[gtdhv]+$/.test(sources)));
});

test("takeOutSecrets removes a key that is cut off at either end", () => {
  const whole = pem(`RSA PRIVATE${" KEY"}`, 20).split("\n");
  for (const cut of [whole.slice(0, 8), whole.slice(12)]) {
    const text = withoutSecrets(`before();\n${cut.join("\n")}\n`);
    for (const line of cut) assert.ok(!text.includes(line), line);
    assert.match(text, /^before\(\);\n/);
  }
});

test("takeOutSecrets leaves code that reads keys: headers without a key, patterns, placeholders", () => {
  const header = `-----BEGIN RSA PRIVATE${" KEY"}-----`;
  const code = [
    `if (text.startsWith("${header}")) return parse(text);`,
    `const pattern = /${header}[\\s\\S]+/;`,
    'const password = "your-password-here";',
    "const token = process.env.GITHUB_TOKEN;",
    'const apiKey = "<YOUR_API_KEY>";',
    ["secret: $", "{{ secrets.DEPLOY_KEY }}"].join(""),
    'const tokenType = "Bearer";',
    "passwordAlgorithm: Pbkdf2Sha512,",
    "password = nextPage2;",
    "pwd=$(dirname $0)",
    "const passwordOf = user.login2Fa[0];",
    "secretName: cert-manager-webhook-tls-v1beta1",
    'const EXISTING_PASSWORD_REQUIRED_V2 = "FlowExistingAccountPasswordRequiredResultV2";',
    'import { createAccessToken2 } from "../tools/tokens.js";',
    'nextToken: "550e8400-e29b-41d4-a716-446655440002"',
    "postgres://user:password@localhost/db",
    'integrity: "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
    'class="sk-folding-cube sk-child-of-the-cube"',
  ].join("\n");
  assert.deepEqual(takeOutSecrets(code), { text: code, removed: 0 });
});

test("cleanText gives the same text as takeOutSecrets wherever a slice ends", async () => {
  const secret = `ghp${"_"}${"aB3".repeat(12)}`;
  const at = 128 * 1024;
  for (let shift = -45; shift <= 5; shift++) {
    const long = `${"x ".repeat((at + shift) >> 1)} ${secret} ${"y ".repeat(1000)}`;
    const { text, removed } = await cleanText(long);
    assert.equal(removed, 1);
    assert.ok(!text.includes(secret));
    assert.equal(takeOutSecrets(long).text, text);
  }
});

test("takeOutSecrets leaves its own result unchanged", () => {
  const all = [...Object.values(sampleSecrets), ...assignedSecrets.map(([line]) => line)].join("\n");
  const once = takeOutSecrets(all).text;
  assert.deepEqual(takeOutSecrets(once), { text: once, removed: 0 });
});

const secretFiles = [
  "prod.env",
  "config/staging.env",
  ".dev.vars",
  "home/.cargo/credentials",
  "home/.cargo/credentials.toml",
  "gcloud/application_default_credentials.json",
  "service-account-prod.json",
  "gcp-service-account-key.json",
  "home/.databrickscfg",
  "my-app-firebase-adminsdk-x1.json",
  "AuthKey_ABC.p8",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".psql_history",
  ".node_repl_history",
  "fish/fish_history",
  ".config/gh/hosts.yml",
  "deploy/.docker/config.json",
  ".kube/config",
  "cluster.kubeconfig",
  ".config/gcloud/credentials.db",
  ".azure/accessTokens.json",
  ".pgpass",
  ".my.cnf",
  "pip.conf",
  ".gem/credentials",
  ".npmrc",
  ".pypirc",
  ".aws/credentials",
  "C:\\Users\\a\\.aws\\credentials",
  "/home/a/.netrc",
  "certs/server.key",
  "db.kdbx",
  "terraform.tfvars",
  "prod.tfstate",
  ".vault-token",
  "token.pickle",
  "secrets.toml",
  "credentials",
  "creds.json",
  "wp-config.php",
  "deploy_key",
  "ci/app_deploy_key",
  "home/.claude.json",
  ".mcp.json",
  ".vscode/mcp.json",
  "Claude/claude_desktop_config.json",
  "secret_key.txt",
  "android/keystore.properties",
  "android/key.properties",
  "appsettings.Production.json",
  "wg0.conf",
  "etc/wireguard/office.conf",
  "kube-config",
  "kube-config.yaml",
  "certs/ca.der",
  "backup.tar.age",
  "group_vars/all/vault.yml",
  "x.pem.bak",
];

test("isSecretName knows files that hold secrets, in any letter case", () => {
  for (const path of secretFiles) {
    assert.ok(isSecretName(path), path);
    assert.ok(isSecretName(path.toUpperCase()), path);
  }
  assert.ok(secretNames.length >= 150);
  assert.equal(new Set(secretNames).size, secretNames.length);
});

test("isSecretName leaves source files that merely mention secrets", () => {
  for (const path of [
    "src/secrets.ts",
    "src/credentials/index.ts",
    "lib/credentials.ts",
    "token.ts",
    "tokens.json",
    "src/password-input.tsx",
    "src/env.ts",
    "environment.ts",
    "history.ts",
    "src/history/index.ts",
    "keys.ts",
    "key.d.ts",
    "auth.ts",
    "docker/config.json",
    "config.json",
    "package.json",
    "settings.xml",
    "src/wallet.ts",
    "hosts.yml",
    "secret-santa.md",
    "cookies/index.ts",
    "secrets/index.ts",
    "appsettings.json",
    "kube_config.py",
    "mcp.json",
    "vault.ts",
    "page.ts",
    "deploy_key.ts",
    "src/keystore.ts",
  ])
    assert.ok(!isSecretName(path), path);
});

test("a private key that is cut off ends before the next one", async () => {
  const [cut, whole] = [
    pem(`PRIVATE${" KEY"}`).split("\n").slice(0, 3).join("\n"),
    pem(`RSA PRIVATE${" KEY"}`),
  ];
  const { text, removed } = takeOutSecrets(`${cut}\n\nBoth of them are old.\n\n${whole}\nThe end.\n`);
  assert.equal(removed, 2);
  assert.match(text, /Both of them are old\./);
  assert.match(text, /The end\./);
  for (const line of [...cut.split("\n"), ...whole.split("\n")]) assert.ok(!text.includes(line), line);
});

test("takeOutSecrets removes a key whose lines stand behind numbers, paths, times or names", () => {
  const whole = pem(`PRIVATE${" KEY"}`, 20).split("\n");
  for (const prefix of [
    ...["12:", "src/a.ts-12-", "2026-02-03T10:00:00Z INFO ", "    12\t"],
    "^1a2b3c4 (Ada 2026-02-03 10:00:00 +0100 12) ",
  ])
    for (const cut of [whole, whole.slice(0, 9)]) {
      const text = withoutSecrets(`before();\n${cut.map((line) => prefix + line).join("\n")}\nafter();\n`);
      for (const line of cut.filter((each) => !each.startsWith("---")))
        assert.ok(!text.includes(line), prefix + line);
      assert.match(text, /^before\(\);\n/);
      assert.match(text, /\nafter\(\);\n$/);
    }
});

test("takeOutSecrets leaves code that frames what it was given as a key", () => {
  const [begin, end] = [`-----BEGIN PRIVATE${" KEY"}-----`, `-----END PRIVATE${" KEY"}-----`];
  const code = `const begin = "${begin}";\nconst end = "${end}";\nconst lines = text.match(/.{1,64}/g);\n`;
  assert.deepEqual(takeOutSecrets(code), { text: code, removed: 0 });
});
