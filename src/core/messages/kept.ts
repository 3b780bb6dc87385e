// What became of what is kept on the disk: conversations, usage, receipts, the list of uploaded files.

export const kept = {
  keptElsewhere: "This conversation is open in another window and can only be read here.",
  keptNewer: "This conversation was written by a newer version of Patchbay and can only be read here.",
  keptBroken: "This conversation is damaged and cannot be repaired right now, so it can only be read.",
  keptMended:
    "This conversation was damaged and has been repaired; turns that are left: {turns}. The damaged file is kept beside it.",
  keptCutShort:
    "The end of this conversation is missing from its file; turns that are left: {turns}. The file is kept beside it as it was found.",
  keptMissing:
    "The file with what was said in this conversation is missing; what is asked from here on is kept in a new one.",
  keptDraft:
    "The draft of this conversation was damaged; what is left of it is in the box. The damaged file is kept beside it.",
  keptAttached:
    "What was attached to the draft was damaged and has to be attached again. The damaged file is kept beside it.",
  keptUnsavedFull: "History is not being saved: the disk is full. The conversation goes on in memory.",
  keptUnsavedRefused:
    "History is not being saved: its folder refuses access. The conversation goes on in memory.",
  keptUnsavedOpen: "History is not being saved: too many files are open. The conversation goes on in memory.",
  keptUnsaved: "History is not being saved: something went wrong. The conversation goes on in memory.",
  keptUnsavedCode: "History is not being saved: the disk reports {code}. The conversation goes on in memory.",
  keptUnsavedMuch:
    "History is not being saved: too much waits for the disk. What is said from here on is not kept.",
  keptSent:
    "Questions that waited to be sent were damaged and have to be asked again. The damaged file is kept beside it.",
  keptUnreadableFull: "This conversation cannot be read: the disk is full.",
  keptUnreadableRefused: "This conversation cannot be read: its folder refuses access.",
  keptUnreadableOpen: "This conversation cannot be read: too many files are open.",
  keptUnreadable: "This conversation cannot be read: something went wrong.",
  keptUnreadableCode: "This conversation cannot be read: the disk reports {code}.",
  keptNoBundle: "This file is not an exported conversation.",
  keptLargeBundle: "This file is too large to be an exported conversation.",
  keptDamagedBundle: "This exported conversation is damaged and was not imported.",
  keptNewerBundle: "This conversation was exported by a newer version of Patchbay.",
  keptDamagedBlob: "An attachment of this exported conversation is damaged.",
  keptNoPlace: "This place in the conversation does not exist any more.",
  keptGone: "This conversation does not exist any more.",
  keptClosed: "This conversation has been closed.",
  keptInUse: "This conversation is open in another window: close it there, then delete it.",
  keptNoName: "This is not the name of a conversation.",
  usageDamaged:
    "Lines of the usage history that were damaged and are left out: {lines}. The damaged file is kept.",
  usageUnsavedMuch:
    "Usage is not being saved: too much waits for the disk. What is used from here on is not kept.",
  receiptsDamaged: "Receipts that were damaged and are left out: {lines}. The damaged file is kept.",
  uploadsDamaged:
    "The list of uploaded files was damaged; files that are left: {left}. The damaged file is kept beside it.",
  uploadsInUse: "Another window is changing the list of uploaded files; try again.",
  uploadsNewer: "The list of uploaded files was written by a newer version of Patchbay.",
} as const;
