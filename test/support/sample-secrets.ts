// Keys that open nothing, put together here piece by piece so that no scanner takes the tests for a leak.

const letters = "aB3dE5gH7jK9mN1pQ4sT6vX8zC2fL0rW";
/** So many characters of mixed kinds; another `from` gives others. */
const mixed = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, at) => letters[(at * 7 + from) % letters.length]).join("");
const hex = (count: number): string =>
  Array.from({ length: count }, (_, at) => "0f3a9c5e7b1d8264"[(at * 5) % 16]).join("");
const body = (lines: number): string =>
  Array.from({ length: lines }, (_, at) => `MII${mixed(61, at)}`).join("\n");

export const pem = (kind: string, lines = 4): string =>
  [`-----BEGIN ${kind}-----`, body(lines), `-----END ${kind}-----`].join("\n");

/** By what they are. */
export const sampleSecrets: Readonly<Record<string, string>> = {
  "Stripe live key": `sk_${"live"}_${mixed(24)}`,
  "Stripe restricted key": `rk_${"live"}_${mixed(24)}`,
  "Stripe webhook secret": `whsec${"_"}${mixed(32)}`,
  "JSON Web Token": `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJ${"zdWIiOiIxMjM0In0"}.${mixed(43)}`,
  "AWS id": `AKIA${"IOSFODNN7QWERTYU"}`,
  "temporary AWS id": `ASIA${"IOSFODNN7QWERTYU"}`,
  "Hugging Face": `hf${"_"}${"abcdefghijKLMNOPQRSTuvwxyzABCDEFGH"}`,
  "GitHub classic": `ghp${"_"}${mixed(36)}`,
  "GitHub app": `ghs${"_"}${mixed(36)}`,
  "GitHub fine-grained": `github${"_pat_"}${mixed(22)}_${mixed(59)}`,
  "GitLab personal": `glpat${"-"}${mixed(20)}`,
  "GitLab runner": `glrt${"-"}${mixed(20)}`,
  "Slack bot": `xoxb${"-"}123456789012-123456789012-${mixed(24)}`,
  "Slack user": `xoxp${"-"}123456789012-123456789012-123456789012-${hex(32)}`,
  "Slack app": `xapp${"-"}1-A0123456789-1234567890123-${hex(64)}`,
  "Slack webhook": `hooks.slack${".com"}/services/T01234567/B01234567/${mixed(24)}`,
  SendGrid: `SG${"."}${mixed(22)}.${mixed(43)}`,
  "Twilio key": `SK${hex(32)}`,
  npm: `npm${"_"}${mixed(36)}`,
  PyPI: `pypi${"-"}AgEIcHlwaS5vcmc${mixed(70)}`,
  RubyGems: `rubygems${"_"}${hex(48)}`,
  "Azure storage": `AccountKey${"="}${mixed(86)}==`,
  "Azure shared access": `https://a.blob.core.windows.net/c?sv=2022-11-02&sig${"="}${mixed(43)}%3D`.slice(48),
  "Azure AD": `${mixed(3)}8Q~${mixed(34)}`,
  "Google API": `AIza${mixed(35)}`,
  "Google OAuth secret": `GOCSPX${"-"}${mixed(28)}`,
  "Google access token": `ya29${"."}${mixed(100)}`,
  OpenAI: `sk${"-"}proj-${mixed(40)}T3BlbkFJ${mixed(40)}`,
  Anthropic: `sk${"-"}ant-api03-${mixed(93)}AA`,
  DigitalOcean: `dop${"_v1_"}${hex(64)}`,
  Shopify: `shpat${"_"}${hex(32)}`,
  Databricks: `dapi${hex(32)}`,
  "New Relic": `NRAK${"-"}${mixed(27).toUpperCase()}`,
  Linear: `lin${"_api_"}${mixed(40)}`,
  Notion: `ntn${"_"}12345678901${mixed(35)}`,
  Vault: `hvs${"."}${mixed(90)}`,
  Terraform: `${mixed(14)}.atlasv1.${mixed(67)}`,
  Pulumi: `pul${"-"}${hex(40)}`,
  Mailgun: `key${"-"}${hex(32)}`,
  Mailchimp: `${hex(32)}-us12`,
  Telegram: `123456789${":AA"}${mixed(33)}`,
  "Discord bot": `MTA${mixed(21)}.${mixed(6)}.${mixed(30)}`,
  age: `AGE-SECRET${"-KEY-"}1${mixed(58).toUpperCase()}`,
  Grafana: `glsa${"_"}${mixed(32)}_${hex(8)}`,
  Sentry: `sntryu${"_"}${hex(64)}`,
  Docker: `dckr${"_pat_"}${mixed(27)}`,
  Postman: `PMAK${"-"}${hex(24)}-${hex(34)}`,
  Square: `sq0atp${"-"}${mixed(22)}`,
  Atlassian: `ATATT3${mixed(180)}`,
  NVIDIA: `nvapi${"-"}${mixed(64)}`,
  Groq: `gsk${"_"}${mixed(52)}`,
  "PGP key": pem("PGP PRIVATE KEY BLOCK"),
  ...Object.fromEntries(
    ["", "RSA ", "DSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "ANY ", "TSS2 "].map((kind) => [
      `${kind}private key`,
      pem(`${kind}PRIVATE${" KEY"}`),
    ]),
  ),
};

/** Lines that give a secret away by what it is assigned to, and the secret. */
export const assignedSecrets: readonly (readonly [line: string, secret: string])[] = [
  (secret: string) => `const apiKey = "${secret}";`,
  (secret: string) => `API_KEY=${secret}`,
  (secret: string) => `  client_secret: '${secret}'`,
  (secret: string) => `{"accessToken": "${secret}"}`,
  (secret: string) => `{\\"auth_token\\": \\"${secret}\\"}`,
  (secret: string) => `aws_secret_access_key = ${secret}`,
  (secret: string) => `<add key="DbPassword" value="${secret}" />`,
  (secret: string) => `Authorization: Bearer ${secret}`,
  (secret: string) => `postgres://app:${secret}@db.internal/app`,
  (secret: string) => `db.passwd := "${secret}"`,
]
  .map((line, at): readonly [string, string] => [line(mixed(32, at)), mixed(32, at)])
  .concat([
    ["POSTGRES_PASSWORD: Tr0ub4dor&3x", "Tr0ub4dor&3x"],
    ["Server=db;User Id=sa;Password=k7Qm2xW9e4;Encrypt=true", "k7Qm2xW9e4"],
  ]);

const small = "abcdefghijklmnopqrstuvwxyz";
const alphanumeric = `${small}${small.toUpperCase()}0123456789`;

/** What machines draw for keys: from these letters, so many of them, written so. */
export const drawnSecrets: readonly (readonly [
  from: string,
  count: number,
  write: (secret: string) => string,
])[] = [
  [`${small}0123456789`, 32, (secret) => `api_key = "${secret}"`],
  ["0123456789abcdef", 32, (secret) => `secretKey: "${secret}"`],
  [alphanumeric, 32, (secret) => `API_KEY: ${secret}`],
  [alphanumeric, 40, (secret) => `const clientSecret = "${secret}";`],
  [`${alphanumeric}+/`, 44, (secret) => `signing_key=${secret}=`],
  [alphanumeric, 20, (secret) => `DB_PASSWORD=${secret}`],
  [alphanumeric, 24, (secret) => `password: '${secret}'`],
  [alphanumeric, 32, (secret) => `Authorization: Bearer ${secret}`],
];

export const awsPair = { id: `AKIA${"IOSFODNN7QWERTYU"}`, secret: `${mixed(20)}/${mixed(19, 3)}` };
