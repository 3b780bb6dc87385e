// Why files could not be changed, or not be changed back.

export const edits = {
  editsGone: "What this patch changed is not kept any more.",
  editsMoving: "The files changed at this very moment; nothing was taken back.",
  editsTaken: "{name} cannot come back: something else stands there now.",
  editsMissing: "{name} is not there any more.",
  editsGrown: "{name} has been changed since it was made, so it is not deleted.",
  editsNoText: "{name} is not a text file any more.",
  editsTouched: "{name} has been changed in the same lines since; nothing was taken back.",
  editsRestricted: "Nothing is changed in Restricted Mode.",
  editsFixedDisk: "{name} lies in a file system that cannot be written to.",
  editsReadOnly: "{name} is read-only.",
  editsReadOnlySetting: "{name} is read-only by your settings.",
  editsRefused: "The editor refused the edit; everything is as it was.",
  editsAstray:
    "The editor wrote {names}, and it is not where it should be: a folder on the way may have been replaced just then, and led it elsewhere.",
  editsUnsaved: "{name} has unsaved changes, which would be lost with it.",
  editsTurned: "{name} is being replaced by something else just now; try again in a moment.",
  editsNotebook: "{name} is open as a notebook, which is changed cell by cell.",
  editsOwnEditor: "{name} has unsaved changes in an editor of its own kind; save them there first.",
  editsNotOpened: "{name} cannot be opened as text.",
  editsEncoding: "{name} is not in the encoding {encoding}; reopen it with its own encoding first.",
  editsHalf: "The editor stopped in the middle, and {names} changed meanwhile and could not be put back.",
} as const;
