// What is wrong with a file id, a body or a price table before anything is sent, and what came of it.

export const service = {
  countStopped: "The count was called off.",
  countFailed: "The tokens could not be counted.",
  fileIdEmpty: "The file id is empty.",
  fileIdDots: "A file id cannot consist of dots.",
  fileIdLong: "The file id is longer than 256 characters.",
  fileIdLetters: "The file id contains characters that are not allowed.",
  deletedBefore: "The file does not exist or was already deleted.",
  deletedNot: "The service reports that the file was not deleted.",
  deletedOther: "The service confirmed the deletion of another file id.",
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
