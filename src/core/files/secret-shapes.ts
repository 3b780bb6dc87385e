// What keys and tokens look like that have a prefix of their own, as a table. Learned from the public rule sets of
// secret scanners, in patterns of our own: g gitleaks (config/gitleaks.toml), t trufflehog (pkg/detectors), d detect-secrets
// (detect_secrets/plugins), h the providers that GitHub lists for its secret scanning (github/docs), v the vendor's own manual. Knows no text; secrets.ts reads.

export interface SecretShape {
  /** Whose key it is, for tests and benches. */
  readonly name: string;
  /** The rule sets that know it. */
  readonly sources: string;
  /** One of these is in every such secret. They are what a text is searched for. */
  readonly anchors: readonly string[];
  /** The most characters of the secret that stand before its anchor. */
  readonly before?: number;
  /**
   * Tried where the secret would begin, and nowhere else (`y`). What may stand left of a secret and what it consists of
   * have nothing in common, and every piece ends at a character that the next cannot hold: no text is read twice.
   */
  readonly pattern: RegExp;
}

const shape = (
  name: string,
  sources: string,
  anchors: string,
  body: string,
  before?: number,
): SecretShape => ({
  name,
  sources,
  anchors: anchors.split(" "),
  pattern: new RegExp(`(?<![A-Za-z0-9_-])${body}(?![A-Za-z0-9_-])`, "y"),
  ...(before !== undefined && { before }),
});

/** A body that may hold anything a token can hold, and has no fixed end. */
const rest = (most: number, least: number): string => `[A-Za-z0-9_-]{${least},${most}}`;

export const secretShapes: readonly SecretShape[] = [
  shape(
    "AWS access key id",
    "gtdh",
    "AKIA ASIA ABIA ACCA A3T",
    "(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}",
  ),
  shape("AWS Bedrock key", "gh", "ABSK", "ABSK[A-Za-z0-9+/]{109,269}={0,2}"),
  shape("Alibaba Cloud access key id", "gth", "LTAI", "LTAI[A-Za-z0-9]{12,26}"),
  shape("Tencent Cloud secret id", "h", "AKID", "AKID[A-Za-z0-9]{32}"),
  shape("Azure AD client secret", "gth", "Q~", "[A-Za-z0-9_.~]{3}[0-9]Q~[A-Za-z0-9_.~-]{31,34}", 4),
  shape(
    "Azure storage or service bus key",
    "tdh",
    "AccountKey= SharedAccessKey=",
    "(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,100}={0,2}",
  ),
  shape("Azure shared access signature", "th", "sig=", "sig=[A-Za-z0-9%+/]{40,120}={0,2}"),
  shape("Azure DevOps token", "h", "AZDO", "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", 76),
  shape("Google API key", "gth", "AIza", "AIza[A-Za-z0-9_-]{35}"),
  shape("Google OAuth client secret", "h", "GOCSPX-", `GOCSPX-${rest(40, 20)}`),
  shape("Google OAuth access token", "th", "ya29.", "ya29\\.[A-Za-z0-9_-]{20,2000}"),
  shape("Google OAuth refresh token", "h", "1//0", "1//0[A-Za-z0-9_-]{40,200}"),
  shape("GitHub token", "gth", "ghp_ gho_ ghu_ ghs_ ghr_", "gh[opsur]_[A-Za-z0-9]{36,255}"),
  shape("GitHub fine-grained token", "gth", "github_pat_", "github_pat_[A-Za-z0-9_]{22,255}"),
  shape(
    "GitLab token",
    "gtdh",
    "glpat- gldt- glrt- glptt- glcbt- gloas- glsoat- glft- glimt- glagent- glffct-",
    "gl(?:pat|dt|rt|ptt|cbt|oas|soat|ft|imt|agent|ffct)-[A-Za-z0-9_.-]{20,300}",
  ),
  shape("GitLab runner registration token", "gd", "GR1348941", `GR1348941${rest(30, 20)}`),
  shape(
    "Bitbucket or Atlassian token",
    "gth",
    "ATATT3 ATBB ATCTT3",
    "AT(?:ATT3|BB|CTT3)[A-Za-z0-9_=-]{28,400}",
  ),
  shape("npm token", "gtdh", "npm_", "npm_[A-Za-z0-9]{36}"),
  shape("PyPI token", "gtdh", "pypi-", `pypi-AgE${rest(1000, 50)}`),
  shape("RubyGems token", "gth", "rubygems_", "rubygems_[a-f0-9]{48}"),
  shape("NuGet key", "h", "oy2", "oy2[a-z0-9]{43}"),
  shape("Clojars token", "gh", "CLOJARS_", "CLOJARS_[A-Za-z0-9]{60}"),
  shape("crates.io token", "th", "cio", "cio[A-Za-z0-9]{32}"),
  shape("Docker Hub token", "th", "dckr_pat_ dckr_oat_", `dckr_[po]at_${rest(40, 24)}`),
  shape("JFrog Artifactory key", "gt", "AKCp", "AKCp[A-Za-z0-9]{69,73}"),
  shape(
    "Slack token",
    "gth",
    "xoxb- xoxp- xoxa- xoxe- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe.xox",
    "xox(?:[abceoprsd]-|e\\.xox[bp]-)[A-Za-z0-9%-]{10,400}",
  ),
  shape("Slack app token", "gh", "xapp-", "xapp-[0-9]-[A-Za-z0-9-]{20,200}"),
  shape(
    "Slack webhook",
    "gtdh",
    "hooks.slack.com/",
    "hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{40,100}",
  ),
  shape(
    "Teams webhook",
    "g",
    ".webhook.office.com/",
    "\\.webhook\\.office\\.com/webhookb2/[A-Za-z0-9@/-]{60,400}",
  ),
  shape("Discord webhook", "th", "/api/webhooks/", "/api/webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{60,80}"),
  shape(
    "Discord bot token",
    "tdh",
    "MT Mj Mz ND NT Nj Nz OD OT",
    "(?:M[Tjz]|N[DTjz]|O[DT])[A-Za-z0-9]{21,26}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,38}",
  ),
  shape("Telegram bot token", "gtdh", ":AA", "(?:bot)?[0-9]{8,10}:AA[A-Za-z0-9_-]{33}", 13),
  shape(
    "Stripe key",
    "gtdh",
    "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_",
    "[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,250}",
  ),
  shape("Stripe webhook secret", "h", "whsec_", "whsec_[A-Za-z0-9+/]{32,64}={0,2}"),
  shape(
    "Square token",
    "gtdh",
    "sq0atp- sq0csp- EAAA",
    `(?:sq0(?:atp|csp)-${rest(60, 22)}|EAAA${rest(90, 56)})`,
  ),
  shape(
    "PayPal or Braintree token",
    "th",
    "access_token$",
    "access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}",
  ),
  shape("Shopify token", "gth", "shpat_ shpss_ shpca_ shppa_", "shp(?:at|ss|ca|pa)_[A-Fa-f0-9]{32}"),
  shape(
    "Plaid token",
    "gh",
    "access-sandbox- access-development- access-production-",
    "access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
  ),
  shape("Flutterwave key", "gth", "FLWSECK", "FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?"),
  shape("Razorpay key", "th", "rzp_live_ rzp_test_", "rzp_(?:live|test)_[A-Za-z0-9]{14,24}"),
  shape(
    "OpenAI key",
    "gtdh",
    "T3BlbkFJ sk-proj- sk-svcacct- sk-admin-",
    `sk-(?:proj-|svcacct-|admin-)?${rest(100, 20)}T3BlbkFJ${rest(100, 20)}`,
  ),
  shape(
    "key that begins with sk-",
    "gth",
    "sk-",
    `sk-(?![a-z]+(?:-[a-z]+)+(?![A-Za-z0-9_-]))${rest(255, 20)}`,
  ),
  shape("Hugging Face token", "gth", "hf_ api_org_", "(?:hf|api_org)_[A-Za-z0-9]{34,40}"),
  shape("Groq key", "th", "gsk_", "gsk_[A-Za-z0-9]{52}"),
  shape("xAI key", "th", "xai-", "xai-[A-Za-z0-9]{70,90}"),
  shape("Perplexity key", "gh", "pplx-", "pplx-[A-Za-z0-9]{48}"),
  shape("NVIDIA key", "th", "nvapi-", `nvapi-${rest(90, 60)}`),
  shape("Replicate token", "th", "r8_", "r8_[A-Za-z0-9]{37}"),
  shape("SendGrid key", "gtdh", "SG.", "SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}"),
  shape("Twilio key", "gtdh", "SK", "SK[0-9a-f]{32}"),
  shape("Twilio account", "td", "AC", "AC[0-9a-f]{32}"),
  shape("Mailgun key", "gth", "key- pubkey-", "(?:pub)?key-[0-9a-f]{32}"),
  shape("Mailchimp key", "gtdh", "-us", "[0-9a-f]{32}-us[0-9]{1,2}", 32),
  shape("Brevo key", "gth", "xkeysib- xsmtpsib-", "x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
  shape("Postmark, Postman key", "gth", "PMAK-", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
  shape("Facebook token", "gh", "EAAC EAAM EAAG EAAB", "EAA[CMGB][A-Za-z0-9]{90,400}"),
  shape("X (Twitter) bearer token", "gh", "AAAAAAAAAAAAAAAAAAAAA", "A{21,24}[A-Za-z0-9%]{60,120}"),
  shape("LinkedIn client secret", "h", "WPL_AP", "WPL_AP[01]\\.[A-Za-z0-9]{16}\\.[A-Za-z0-9+/]{8,10}={0,2}"),
  shape("DigitalOcean token", "gth", "dop_v1_ doo_v1_ dor_v1_", "do[opr]_v1_[a-f0-9]{64}"),
  shape("Heroku key", "gth", "HRKU-", `HRKU-AA${rest(64, 50)}`),
  shape(
    "Fly.io token",
    "gh",
    "fo1_ fm1r_ fm1a_ fm2_",
    "(?:fo1_[A-Za-z0-9_-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,2000}={0,3})",
  ),
  shape("Cloudflare origin key", "gth", "v1.0-", "v1\\.0-[a-f0-9]{24}-[a-f0-9]{146}"),
  shape("Databricks token", "gth", "dapi", "dapi[a-f0-9]{32}(?:-[0-9])?"),
  shape(
    "Databricks or PlanetScale token",
    "gth",
    "pscale_",
    "pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{32,64}",
  ),
  shape("Supabase token", "th", "sbp_ sb_secret_", "(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{31})"),
  shape("Terraform Cloud token", "th", ".atlasv1.", "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,70}", 14),
  shape("Vault token", "gth", "hvs. hvb. hvr.", "hv[sbr]\\.[A-Za-z0-9_-]{24,300}"),
  shape("Pulumi token", "gth", "pul-", "pul-[a-f0-9]{40}"),
  shape(
    "Doppler token",
    "gth",
    "dp.",
    "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}",
  ),
  shape("1Password token", "gh", "ops_eyJ", "ops_eyJ[A-Za-z0-9+/]{100,4000}={0,3}"),
  shape(
    "1Password secret key",
    "g",
    "A3-",
    "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
  ),
  shape("age secret key", "g", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[0-9A-Z]{58}"),
  shape(
    "Grafana token",
    "gth",
    "glc_ glsa_",
    "(?:glc_[A-Za-z0-9+/]{32,400}={0,3}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})",
  ),
  shape("Datadog key", "h", "ddapi_ ddapp_", "ddap[ip]_[A-Za-z0-9]{30,60}"),
  shape("New Relic key", "gth", "NRAK- NRII- NRJS- NRAL", "NR(?:AK|II|JS|AL)-?[A-Za-z0-9-]{19,40}"),
  shape("Sentry token", "gth", "sntrys_ sntryu_", "sntry(?:u_[a-f0-9]{64}|s_eyJ[A-Za-z0-9+/=_]{60,400})"),
  shape("Dynatrace token", "gh", "dt0c01. dt0s01.", "dt0[cs]01\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"),
  shape("SonarQube token", "gh", "squ_ sqp_ sqa_", "sq[upa]_[a-f0-9]{40}"),
  shape(
    "Snyk or Semgrep token",
    "th",
    "snyk_ sgp_",
    "(?:snyk_(?:uat|sat)\\.[A-Za-z0-9._-]{40,300}|sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40})",
  ),
  shape("Linear key", "gth", "lin_api_ lin_oauth_", "lin_(?:api|oauth)_[A-Za-z0-9]{40,64}"),
  shape(
    "Notion token",
    "gth",
    "ntn_ secret_",
    "(?:ntn_[0-9]{11}[A-Za-z0-9]{35}|secret_(?=[A-Za-z]*[0-9])[A-Za-z0-9]{43})",
  ),
  shape("Figma token", "h", "figd_ figo_", `fig[do]_${rest(60, 40)}`),
  shape("Airtable token", "gth", "pat", "pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}"),
  shape("Asana or Zapier token", "h", "1/1 2/1", "[12]/1[0-9]{12,18}(?:/[0-9]{12,18})?:[a-f0-9]{32}"),
  shape("Dropbox token", "gth", "sl.", "sl\\.(?:u\\.)?[A-Za-z0-9_-]{130,2000}"),
  shape("Contentful token", "th", "CFPAT-", `CFPAT-${rest(50, 40)}`),
  shape("Typeform token", "gth", "tfp_", "tfp_[A-Za-z0-9_.=-]{44,64}"),
  shape("EasyPost key", "gh", "EZAK EZTK", "EZ[AT]K[A-Za-z0-9]{54}"),
  shape("Shippo token", "gth", "shippo_", "shippo_(?:live|test)_[A-Fa-f0-9]{40}"),
  shape("Duffel token", "gth", "duffel_", "duffel_(?:test|live)_[A-Za-z0-9_=-]{43}"),
  shape("ReadMe key", "gth", "rdme_", "rdme_[a-z0-9]{70}"),
  shape("Prefect or Buildkite token", "gth", "pnu_ bkua_", "(?:pnu_[A-Za-z0-9]{36}|bkua_[a-f0-9]{40})"),
  shape("CircleCI token", "th", "CCIPAT_ CCIPRJ_", "CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
  shape("Octopus Deploy key", "gth", "API-", "API-(?=[A-Z]*[0-9])[A-Z0-9]{26,32}"),
  shape(
    "Harness token",
    "gth",
    "pat. sat.",
    "[ps]at\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}",
  ),
  shape("OpenShift token", "gh", "sha256~", "sha256~[A-Za-z0-9_-]{43}"),
  shape(
    "Yandex Cloud key",
    "gh",
    "t1. AQVN",
    "(?:AQVN[A-Za-z0-9_-]{35,38}|t1\\.[A-Za-z0-9_-]{20,300}=?=?\\.[A-Za-z0-9_-]{86}=?=?)",
  ),
  shape("MaxMind key", "gth", "_mmk", "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk", 36),
  shape("Adobe client secret", "gh", "p8e-", "p8e-[A-Za-z0-9_-]{32}"),
  shape("LaunchDarkly key", "th", "sdk-", "sdk-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
  shape("Tailscale key", "th", "tskey-", "tskey-[a-z]{2,20}-[A-Za-z0-9]{8,40}-[A-Za-z0-9]{20,60}"),
  shape("Infracost or Scalingo token", "g", "ico- tk-us-", "(?:ico-[A-Za-z0-9]{32}|tk-us-[A-Za-z0-9_-]{48})"),
  shape("Mapbox secret token", "h", "sk.eyJ", "sk\\.eyJ[A-Za-z0-9_-]{40,400}\\.[A-Za-z0-9_-]{20,40}"),
  shape(
    "JSON Web Token",
    "gtdh",
    "eyJ",
    "eyJ[A-Za-z0-9_-]{10,4000}\\.eyJ[A-Za-z0-9_-]{10,8000}\\.[A-Za-z0-9_-]{16,2000}",
  ),
  shape(
    "private key in base64",
    "v",
    "LS0tLS1CRUdJTi",
    "LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFURS|BQUklWQVRF|BFQyBQUklWQVRF|BPUEVOU1NI|BFTkNSWVBURU|BEU0EgUFJJVkFURS|BQR1AgUFJJVkFURS)[A-Za-z0-9+/=]{20,}",
  ),
];
