// The connection check of the core in its own words: what it will do, and what it found. Known again by their form, as
// the sentences of core-sentences.ts, which are there from the start; these are only with the check itself. Pure.

/** Called as everywhere, so that the tests of the languages find what stands here. */
const t = (english: string): string => english;

export const checkSentences = [
  t("One token count of the word “ping”: is the service there, and is the key accepted?"),
  t("One short reply on {model}: how does it stream?"),
  t(
    "One reply of at most 64 tokens on {model}, with two tools that do nothing and every optional field: which are accepted? What is refused is left out, and the request sent again.",
  ),
  t("Reachable"),
  t("Key accepted"),
  t("Token estimate"),
  t("Cache identifier"),
  t("User identifier"),
  t("Cache lifetime"),
  t("Patch tool"),
  t("Tool namespaces"),
  t("Signed replies"),
  t("The token count took {count} ms."),
  t("The key was accepted."),
  t("“ping” has {count} tokens."),
  t("A reply was given."),
  t("No reply was read."),
  t("The reply ended {status}; it came as an event stream ({names})."),
  t("The reply ended {status}; it came as JSON lines ({names})."),
  t("The reply ended {status}; it came as one document ({names})."),
  t("It is not sent."),
  t("It is accepted."),
  t("“{name}” is left out from now on."),
  t("“{name}” is accepted."),
  t("It is sent without its grammar."),
  t("It is sent as a function."),
  t("Tools are sent as single functions."),
  t("Its own earlier items"),
  t("Its own searches are left out of what is sent back."),
  t("Its answers are sent back retold, without its thoughts and searches."),
  t("No nonce header is set."),
  t("Receipts are recorded; how to verify them is not published."),
  t("The service did not answer to the header {name}."),
];
