// What is wrong with an edited request or with the price table, and what a receipt proves.

export const requests = {
  requestNoObject: "This is not a JSON object.",
  requestNoModel: "The request names no model.",
  requestField: "The field {name} is not one that Patchbay sends.",
  requestFixed: "The field {name} can hold only what the settings allow.",
  requestInclude: "The field include cannot hold {value}.",
  requestModel: "The Responses operation supports only {model}, not {other}.",
  requestNoInput: "The field input is missing.",
  requestMessages: "The field messages must be a list of messages with a role and content.",
  priceTable:
    "The price table cannot be used: it needs a currency or five rates per million tokens, none below 0.",
  priceTableAt:
    "The price table cannot be used: “{where}” needs a currency or five rates per million tokens, none below 0.",
  receiptUnverified: "recorded, not verified: the verification procedure is not published",
} as const;
