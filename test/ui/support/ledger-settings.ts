// What a person sets who wants to know it all: files, receipts, prices. Every test that names no settings has these, so
// that all of them share a window.
export const ledgerSettings = {
  "patchbay.files.enabled": true,
  "patchbay.receipts.nonceHeader": "svc-request-nonce",
  "patchbay.pricing": {
    currency: "EUR",
    perMillion: { "svc-k3": { input: 3, cached: 0.3, write5m: 3.75, write1h: 6, output: 15 } },
  },
};
