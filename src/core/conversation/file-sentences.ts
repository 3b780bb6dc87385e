// Why a file cannot be read or changed, for people: the core's sentences and reasons, known again by their form.

/** What guarded-files.ts and locate.ts of core/tools say, to the model as well. */
export const fileSentences = {
  noteUnread: '"{name}" could not be read.',
  noteRefused: '"{name}" cannot be read: {why}.',
  noteMissing: 'There is no "{name}".',
  noteNoFile: '"{name}" is not a file.',
  noteNoFolder: '"{name}" is not a folder.',
  noteNoText: '"{name}" is not a text file.',
  noteLarge: '"{name}" is larger than 5 MB.',
  noteChanged: '"{name}" changed while it was read.',
  noteListFolder: '"{name}" is a folder; use list_files.',
} as const;

/** Those of paths.ts of core/patch, and of privacy.ts and guarded-files.ts of core/tools. */
export const fileReasons = {
  whyUpwards: "it leads upwards with '..'",
  whyAbsolute: "it is absolute; paths are relative to the open folder",
  whyDrive: "it names a drive; paths are relative to the open folder",
  whyAddress: "it is an address, not a path",
  whyFolder: "it names a folder",
  whyNoFolder: "no folder is open",
  whyNoRoot: "with several folders open it must begin with one of {names}",
  whyEmpty: "it is empty",
  whyTooLong: "it is too long",
  whyTooDeep: "it lies too deep",
  whyControl: "it holds control or text-direction characters",
  whySeparator: "it hides a separator",
  whyEmptyPart: "it has an empty part",
  whyLongPart: "a part of it is too long",
  whyDot: "a part of it ends with a dot or a space",
  whyWindows: "it holds a character that Windows keeps for itself",
  whyDevice: "it is a device's name",
  whyShort: "it is a short (8.3) name",
  whyVariable: "it stands for a place outside of the folder",
  whyGit: "it lies in Git's own folder",
  whyOut: "it leads out of the folder through a link",
  whyGuarded: "it lies in a place that patches may not touch",
  whyNotebook: "notebooks are edited cell by cell, not as text",
  whyNeverSent: "it is on the list of files that are never sent",
  whyRule: "nothing is sent while a pattern in {name} cannot be read",
  whyIgnoreFile: "nothing is sent while {name} cannot be read",
  whyIgnoreLink: "nothing is sent while {name} is a link out of the workspace",
  whyLargeIgnoreFile: "nothing is sent while {name} is larger than 64 KiB",
  whyOutside: "it leads out of the workspace",
  whyEditors: "it belongs to the editor",
} as const;
