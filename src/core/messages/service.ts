// What is wrong with a file id before anything is sent, and what came of a deletion or a count.

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
