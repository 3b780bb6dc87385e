// What the core says, as it says it: the sentences that the editor's own windows show in the reader's language (see
// said.ts). The page has a list of its own. Pure.

/** Called as everywhere, so that the tests of the languages find what stands here. */
const t = (english: string): string => english;

const connection = [
  t("The service's base address is not set."),
  t("The base address is not a valid address, such as https://host."),
  t("The base address must begin with https://."),
  t("The base address must begin with https://; http:// is for this machine only."),
  t("The base address must not contain a user name or password."),
  t("The base address must not contain a query (?)."),
  t("The base address must not contain a fragment (#)."),
  t("The API key is empty."),
  t("The API key contains a line break; copy it again as one line."),
  t("The API key contains a space; copy it again without spaces."),
  t("The API key contains a character that cannot be part of a key; copy it again."),
];

const faults = [
  t("The service refused the API key (401)."),
  t("The service's address redirects elsewhere ({status}); the redirect was refused."),
  t("Cannot reach {host} ({code})."),
  t("The certificate of {host} was not accepted ({code})."),
  t("The proxy asks for a login (407)."),
  t("The proxy refused the connection ({code})."),
  t("The proxy setting is not a valid address."),
  t("What answers at the base address does not speak HTTP."),
  t("The answer is a web page (HTML), not the service; a sign-in page of the network may be in between."),
  t("The connection ended before the reply was complete."),
  t("The service sent an empty reply."),
  t("The service answered in a form that could not be understood; it may have charged for the answer."),
  t("The reply arrived damaged and was not finished."),
  t("The reply was too large and was cut off."),
  t("The service waited too long for the request (408)."),
  t("Something went wrong inside the extension."),
  t("Something went wrong inside Patchbay."),
  t("No more requests were agreed to."),
  t("The API key could not be read from where it is kept."),
  t("The base address was changed while this request waited; it was not sent again."),
  t("Something went wrong inside Patchbay; what had arrived is kept."),
  t("The service answered with nothing."),
  t("The answer reached the output limit."),
  t("The service cut the answer off."),
  t("The model repeated tool calls that were answered already, and said nothing new."),
  t("The model has used tools {steps} times in a row; let it continue if it is on the right way."),
  t("The tools have brought in a lot that would be sent next; let the model continue if it is worth that."),
  t("The service says that the reply is not finished ({status}), and offers no way to fetch it later."),
  t("No connection to the service in {time}."),
  t("The service did not answer in {time}."),
  t("The service sent no data for {time}."),
  t("Stopped."),
  t("The count was called off."),
  t("The tokens could not be counted."),
  t("A message without content cannot be sent."),
  t("The output limit must be a whole number of tokens from {least} to {most}."),
  t("There is nothing to send."),
];

const files = [
  t("The file id is empty."),
  t("A file id cannot consist of dots."),
  t("The file id is longer than 256 characters."),
  t("The file id contains characters that are not allowed."),
  t("The file does not exist or was already deleted."),
  t("The service reports that the file was not deleted."),
  t("The service confirmed the deletion of another file id."),
  t("Another window is changing the list of uploaded files; try again."),
  t("The list of uploaded files was written by a newer version of Patchbay."),
];

const conversations = [
  t("This exported conversation is damaged and was not imported."),
  t("This file is too large to be an exported conversation."),
  t("This file is not an exported conversation."),
  t("This conversation was exported by a newer version of Patchbay."),
  t("An attachment of this exported conversation is damaged."),
  t("This place in the conversation does not exist any more."),
  t("This conversation does not exist any more."),
  t("This conversation has been closed."),
  t("This conversation is open in another window: close it there, then delete it."),
  t("This conversation is open in another window and can only be read here."),
  t("This conversation was written by a newer version of Patchbay and can only be read here."),
  t("This conversation is damaged and cannot be repaired right now, so it can only be read."),
  t(
    "This conversation was damaged and has been repaired; turns that are left: {turns}. The damaged file is kept beside it.",
  ),
  t(
    "The end of this conversation is missing from its file; turns that are left: {turns}. The file is kept beside it as it was found.",
  ),
  t(
    "The file with what was said in this conversation is missing; what is asked from here on is kept in a new one.",
  ),
  t(
    "The draft of this conversation was damaged; what is left of it is in the box. The damaged file is kept beside it.",
  ),
  t(
    "What was attached to the draft was damaged and has to be attached again. The damaged file is kept beside it.",
  ),
  t("Lines of the usage history that were damaged and are left out: {lines}. The damaged file is kept."),
  t("Receipts that were damaged and are left out: {lines}. The damaged file is kept."),
  t(
    "The list of uploaded files was damaged; files that are left: {left}. The damaged file is kept beside it.",
  ),
  t("Usage is not being saved: too much waits for the disk. What is used from here on is not kept."),
  t("This conversation cannot be read: the disk is full."),
  t("This conversation cannot be read: its folder refuses access."),
  t("This conversation cannot be read: too many files are open."),
  t("This conversation cannot be read: something went wrong."),
  t("This conversation cannot be read: the disk reports {code}."),
  t("History is not being saved: the disk is full. The conversation goes on in memory."),
  t("History is not being saved: its folder refuses access. The conversation goes on in memory."),
  t("History is not being saved: too many files are open. The conversation goes on in memory."),
  t("History is not being saved: something went wrong. The conversation goes on in memory."),
  t("History is not being saved: the disk reports {code}. The conversation goes on in memory."),
  t("History is not being saved: too much waits for the disk. What is said from here on is not kept."),
];

const edits = [
  t("What this patch changed is not kept any more."),
  t("The files changed at this very moment; nothing was taken back."),
  t("{name} cannot come back: something else stands there now."),
  t("{name} is not there any more."),
  t("{name} has been changed since it was made, so it is not deleted."),
  t("{name} is not a text file any more."),
  t("{name} has been changed in the same lines since; nothing was taken back."),
];

const requests = [
  t("This is not a JSON object."),
  t("The request names no model."),
  t("The field {name} is not one that Patchbay sends."),
  t("The field {name} can hold only what the settings allow."),
  t("The field include cannot hold {value}."),
  t("The Responses operation supports only {model}, not {other}."),
  t("Both identifiers are set to go as “{name}”; give one of them another name in the settings."),
  t("The field input is missing."),
  t("The field messages must be a list of messages with a role and content."),
];

const prices = [
  t("The price table cannot be used: it needs a currency or five rates per million tokens, none below 0."),
  t(
    "The price table cannot be used: “{where}” needs a currency or five rates per million tokens, none below 0.",
  ),
  t("recorded, not verified: the verification procedure is not published"),
];

export const coreSentences = {
  whole: [connection, faults, files, conversations, edits, requests, prices].flat(),
  begun: [
    t("The API key is not allowed to do this (403)"),
    t("The service refused the request because of the account's quota ({status})"),
    t("The service did not find it (404)"),
    t("The request is too large for the service ({status})"),
    t("The service is busy (429)"),
    t("The service refused the request ({status})"),
    t("Server error {status}"),
    t("The service could not finish the reply"),
    t("The reply ended with unknown status {reason}"),
  ],
} as const;

export const tryAgainAt = t("Try again at {time}.");
