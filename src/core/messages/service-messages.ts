// What is wrong with the address, the key or a file id before anything is sent, and what came of a deletion or a count.

/** Activation itself says these, and reads nothing else for them. */
export const connection = {
  addressUnknown: "Connect to your service to get started.",
  keyStore: "VS Code's secret storage couldn't be read. Set the API key again to use it in this window.",
  keyMissing: "Add an API key for {origin}.",
  addressMissing: "The service URL isn't set.",
  addressInvalid: "This isn't a valid URL, such as https://host.",
  addressNoHttps: "The service URL must start with https://.",
  addressNotHere:
    "Use https://. http:// works only on this computer or, once confirmed, in a private network.",
  addressUnconfirmed: "Confirm the unencrypted connection to {origin} first.",
  addressNamesUser: "The service URL can't include a user name or password.",
  addressHasQuery: "The service URL can't include a query (?).",
  addressHasFragment: "The service URL can't include a fragment (#).",
  keyEmpty: "The API key is empty.",
  keyLines: "The API key contains a line break; copy it again as one line.",
  keySpace: "The API key contains a space; copy it again without spaces.",
  keyLetter: "The API key contains a character that cannot be part of a key; copy it again.",
} as const;

export const service = {
  countStopped: "Counting was canceled.",
  countFailed: "Couldn't count the tokens.",
  fileIdEmpty: "The file ID is empty.",
  fileIdDots: "A file ID can't consist of dots.",
  fileIdLong: "The file ID is longer than 256 characters.",
  fileIdLetters: "The file ID contains characters that aren't allowed.",
  deletedBefore: "The file does not exist or was already deleted.",
  deletedNot: "The service reports that the file was not deleted.",
  deletedOther: "The service confirmed the deletion of another file.",
} as const;
