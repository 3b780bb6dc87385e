// What is wrong with the address, the key or a file id before anything is sent, and what came of a deletion or a count.

/** Activation itself says these, and reads nothing else for them. */
export const connection = {
  addressUnknown: "Patchbay does not know the service's base address yet.",
  keyStore: "Your system's secret store could not be read; set the API key again to use it in this window.",
  keyMissing: "There is no API key for {origin} yet.",
  addressMissing: "The service's base address is not set.",
  addressInvalid: "The base address is not a valid address, such as https://host.",
  addressNoHttps: "The base address must begin with https://.",
  addressNotHere: "The base address must begin with https://; http:// is for this machine only.",
  addressNamesUser: "The base address must not contain a user name or password.",
  addressHasQuery: "The base address must not contain a query (?).",
  addressHasFragment: "The base address must not contain a fragment (#).",
  keyEmpty: "The API key is empty.",
  keyLines: "The API key contains a line break; copy it again as one line.",
  keySpace: "The API key contains a space; copy it again without spaces.",
  keyLetter: "The API key contains a character that cannot be part of a key; copy it again.",
} as const;

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
} as const;
