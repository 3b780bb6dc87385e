// Keys of services that programs call (models, messages, payments, hosting and data), and the form of a row. One table
// with secret-shapes.ts, which has the other rows and lists the sources.

export interface SecretShape {
  /** The service, for tests and benchmarks. */
  readonly name: string;
  /** The rule sets that contain this key. */
  readonly sources: string;
  /** Every such secret contains one of these. The text is searched for them. */
  readonly anchors: readonly string[];
  /** Maximum number of the secret's characters before its anchor. */
  readonly before?: number;
  /**
   * Applied only where the secret would begin (`y`). The characters allowed before a secret and those in it are
   * disjoint, and every part ends at a character that the next part cannot contain, so no text is read twice.
   */
  readonly pattern: RegExp;
  /** Other things have the same prefix, so the whole secret must look random. */
  readonly isWeak: boolean;
}

type Shape = (
  name: string,
  sources: string,
  anchors: string,
  body: string,
  before?: number,
  isWeak?: boolean,
) => SecretShape;

/** No character of a token may precede it; an escaped line end is not one. */
export const shape: Shape = (name, sources, anchors, body, before, isWeak = false) => ({
  name,
  sources,
  anchors: anchors.split(" "),
  pattern: new RegExp(`(?<=^|[^A-Za-z0-9_-]|\\\\[nrt])${body}(?![A-Za-z0-9_-])`, "y"),
  isWeak,
  ...(before !== undefined && { before }),
});

/** For a prefix that other things have as well. */
const weakShape = (name: string, sources: string, anchors: string, body: string): SecretShape =>
  shape(name, sources, anchors, body, undefined, true);

export const serviceShapes: readonly SecretShape[] = [
  shape("Pinecone key", "v", "pcsk_", "pcsk_[A-Za-z0-9_]{50,80}"),
  shape("Tavily key", "v", "tvly-", "tvly-(?:dev-|prod-)?[A-Za-z0-9-]{28,64}"),
  shape("LangSmith key", "v", "lsv2_", "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
  shape("Firecrawl key", "v", "fc-", "fc-[a-f0-9]{32}"),
  shape("Jina key", "v", "jina_", "jina_[A-Za-z0-9_-]{40,80}"),
  shape("Cerebras key", "v", "csk-", "csk-[a-z0-9]{40,60}"),
  weakShape("Fireworks key", "v", "fw_", "fw_[A-Za-z0-9]{20,30}"),
  shape("E2B key", "v", "e2b_", "e2b_[a-f0-9]{40}"),
  shape("ElevenLabs key", "v", "sk_", "sk_[a-f0-9]{48}"),
  shape("RunPod key", "v", "rpa_", "rpa_[A-Za-z0-9]{38,50}"),
  shape("Together key", "v", "tgp_v1_", "tgp_v1_[A-Za-z0-9_-]{40,50}"),
  shape("LlamaIndex key", "v", "llx-", "llx-[A-Za-z0-9]{40,60}"),
  weakShape("Mem0 key", "v", "m0-", "m0-[A-Za-z0-9]{36,44}"),
  weakShape("Voyage key", "v", "pa-", "pa-[A-Za-z0-9_-]{40,50}"),
  shape("Context7 key", "v", "ctx7sk-", "ctx7sk-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
  shape("Cursor key", "v", "crsr_", "crsr_[a-f0-9]{64}"),
  shape("Baidu key", "v", "bce-v3/", "bce-v3/ALTAK-[A-Za-z0-9]{10,30}/[a-f0-9]{40}"),
  shape("Apify token", "v", "apify_api_", "apify_api_[A-Za-z0-9]{34,50}"),
  shape("Browserbase key", "v", "bb_live_", "bb_live_[A-Za-z0-9_-]{24,40}"),
  shape(
    "Firebase Cloud Messaging server key",
    "td",
    ":APA91b",
    "[A-Za-z0-9_-]{11}:APA91b[A-Za-z0-9_-]{130,160}",
    11,
  ),
  weakShape("Resend key", "v", "re_", "re_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,30}"),
  shape("MailerSend key", "h", "mlsn.", "mlsn\\.[a-f0-9]{64}"),
  shape("OneSignal key", "h", "os_v2_", "os_v2_(?:app|org)_[a-z0-9]{90,120}"),
  shape(
    "Feishu or Lark webhook",
    "v",
    "open.feishu.cn/ open.larksuite.com/",
    "open\\.(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/(?:v2/)?hook/[0-9a-f-]{30,40}",
  ),
  shape(
    "WeCom webhook",
    "v",
    "qyapi.weixin.qq.com/",
    "qyapi\\.weixin\\.qq\\.com/cgi-bin/webhook/send\\?key=[0-9a-f-]{36}",
  ),
  shape(
    "Zapier webhook",
    "h",
    "hooks.zapier.com/",
    "hooks\\.zapier\\.com/hooks/catch/[0-9]{4,12}/[A-Za-z0-9]{5,12}",
  ),
  shape(
    "IFTTT webhook",
    "v",
    "maker.ifttt.com/",
    "maker\\.ifttt\\.com/trigger/[\\w-]{1,60}/(?:json/)?with/key/[A-Za-z0-9_-]{20,60}",
  ),
  weakShape("Mollie or GoCardless token", "v", "live_", "live_[A-Za-z0-9_-]{30,42}"),
  shape(
    "Adyen key",
    "v",
    "AQE",
    "AQE[A-Za-z0-9+/]{60,300}={0,2}-[A-Za-z0-9+/]{20,100}={0,2}-[^\\s\"'`]{8,24}",
  ),
  weakShape("Polar or Lemon token", "v", "polar_", "polar_[a-z]{2,5}_[A-Za-z0-9]{30,50}"),
  shape(
    "extended private key of a wallet",
    "v",
    "xprv yprv zprv tprv",
    "[xyzt]prv[1-9A-HJ-NP-Za-km-z]{107,108}",
  ),
  shape(
    "address of a node of a chain",
    "v",
    "infura.io/v3/ .alchemy.com/v2/ .g.alchemy.com/v2/",
    "(?:infura\\.io/v3/[a-f0-9]{32}|[a-z0-9.-]{1,60}\\.alchemy\\.com/v2/[A-Za-z0-9_-]{32,44})",
    60,
  ),
  shape("Django secret key", "v", "django-insecure-", "django-insecure-[^\\s\"'`]{30,100}"),
  shape("Neon key", "h", "napi_", "napi_[a-z0-9]{50,80}"),
  weakShape("Render key", "v", "rnd_", "rnd_[A-Za-z0-9]{26,34}"),
  shape("Netlify token", "h", "nfp_ nfc_ nfu_", "nf[pcu]_[A-Za-z0-9]{36,42}"),
  shape(
    "HubSpot token",
    "h",
    "pat-na pat-eu pat-ap",
    "pat-(?:na|eu|ap)[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
  ),
  shape("Vercel storage token", "v", "vercel_blob_rw_", "vercel_blob_rw_[A-Za-z0-9]{16}_[A-Za-z0-9]{28,34}"),
  shape("Infisical token", "g", "st.", "st\\.[a-f0-9]{24}\\.[a-f0-9]{32}\\.[a-f0-9]{32}"),
  shape("Artifactory reference token", "g", "cmVmdGtu", "cmVmdGtu[A-Za-z0-9]{56}"),
  shape("New Relic licence", "t", "NRAL", "[0-9a-f]{32,36}(?:FFFF)?NRAL", 40),
  shape(
    "Azure key",
    "v",
    "AzSe AzFu AzCa JQQJ9",
    "(?:[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}|[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_-]{6}={0,2}|[A-Za-z0-9]{33}AzCa[A-Za-z0-9]{6}={0,2}|[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{27})",
    52,
  ),
  shape("Honeycomb key", "v", "hcaik_ hcalk_ hcamk_", "hca[ilm]k_[a-z0-9]{58}"),
  shape("Axiom token", "v", "xaat- xapt-", "xa[ap]t-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
  shape("Logfire token", "v", "pylf_v", "pylf_v[0-9]_[a-z]{2}_[A-Za-z0-9]{40,50}"),
  shape("PostHog personal key", "h", "phx_", "phx_[A-Za-z0-9]{40,50}"),
  shape("MongoDB Atlas secret", "v", "mdb_sa_sk_", "mdb_sa_sk_[A-Za-z0-9_-]{36,44}"),
  shape("Elastic key", "v", "essu_", "essu_[A-Za-z0-9+/]{40,120}={0,2}"),
  shape("dbt token", "v", "dbtu_ dbtc_", "dbt[uc]_[A-Za-z0-9_-]{34,50}"),
  shape("Xata key", "v", "xau_", "xau_[A-Za-z0-9]{36,40}"),
  shape("Deno Deploy token", "v", "ddp_ ddo_ ddw_", "dd[pow]_[A-Za-z0-9]{34,42}"),
  shape("Packagist token", "v", "packagist_", "packagist_[a-z]{3}_[a-f0-9]{60,80}"),
  shape("NetBird token", "v", "nbp_", "nbp_[A-Za-z0-9]{36}"),
  shape("Inngest signing key", "v", "signkey-", "signkey-[a-z]{2,12}-[a-f0-9]{64}"),
  weakShape("ClickUp token", "v", "pk_", "pk_[0-9]{6,9}_[A-Z0-9]{32}"),
  shape("Stytch secret", "v", "secret-live- secret-test-", "secret-(?:live|test)-[A-Za-z0-9_-]{36}=?"),
  shape("Rootly token", "g", "rootly_", "rootly_[a-f0-9]{64}"),
];
