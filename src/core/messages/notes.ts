// What a chip says of what is attached, and what an answer notes of itself.

export const notes = {
  noteLate: '"{name}" took too long to read.',
  noteGone: 'The conversation "{name}" does not exist any more.',
  noteNoPicture: '"{name}" is not a picture that can be sent.',
  noteOneLine: '"{name}" has only 1 line.',
  noteShort: '"{name}" has only {count} lines.',
  noteOneHidden: "1 file on the ignore list is left out.",
  noteHidden: "{count} files on the ignore list are left out.",
  noteOneEntry: "1 entry on the ignore list is not shown.",
  noteEntries: "{count} entries on the ignore list are not shown.",
  noteNotReached:
    "Not everything was looked at in time: {first} and {count} other folders at least were not opened.",
  noteClosed:
    "Not opened, because their .gitignore is larger than 64 KiB: {first} and {count} other folders.",
  noteOneClosed: "{name} was not opened: its .gitignore is larger than 64 KiB.",
  noteOneNotReached: "Not everything was looked at in time: {name} at least was not opened.",
  noteFirstFiles: "Only the first {count} files are shown; name a folder or a pattern to see others.",
  noteLines: "It is long: only the lines up to {line} are sent.",
  noteInside: "It is long: only the beginning of line {line} is sent.",
  noteEnd: "It is long: only its end is sent.",
  noteBeginning: "It is long: only its beginning is sent.",
  noteNothing: "There is nothing in it.",
  noteInvisible: "It holds invisible characters.",
  noteBreakpoint: "It holds the word “prompt_cache_breakpoint”, which the service may refuse.",
  noteWritten: "It holds invisible characters; they are written out.",
  noteOneSecret: "1 secret was taken out of this text.",
  noteSecrets: "{count} secrets were taken out of this text.",
  noteTools: "More tools are offered from here on.",
  noteSearchOn: "Web search is on from here on.",
  noteSearchOff: "Web search is off from here on.",
  noteForgets:
    "What the model thought and searched earlier is left out from here on, and its answers are retold.",
  noteAgain: "The service refused what was said so far; it is asked again without its own searches.",
  noteAnew: "The service's cache of this conversation starts anew.",
  noteSearches: "The service does not take its own searches back; they are left out from here on.",
  noteAgreed:
    "This is remembered for the address: all that is said there is sent that way, until you choose “Forget What the Service Refuses”.",
  noteResults: "The service does not accept results of custom tools; they are sent as function results.",
  noteField: "The service does not accept “{field}”; it is left out from now on.",
  noteOthers:
    "The service does not accept another model's messages; they are sent as a summary of what was said.",
  noteNamespaces: "The service does not accept tool namespaces; their tools are sent as single functions.",
  noteGrammar: "The service does not accept the patch tool with its grammar; it is sent without.",
  noteLostHere: "Part of the conversation is missing here: its file was damaged.",
  noteLostQuestion: "The question is missing here: the file of the conversation was damaged.",
  noteFunction: "The service does not accept the patch tool as a custom tool; it is sent as a function.",
} as const;
