// What a person should know about where they are; it stands above the question box.

export const places = {
  placeTraced: "patchbay.trace: every request and every reply is written to the Patchbay log.",
  placeModel: "patchbay.model.default: {model} is none of the known models; it is asked as one that chats.",
  placeRestricted:
    "Restricted Mode: until you trust this folder the model reads none of its files and changes nothing.",
  placeNoFolder: "No folder is open: there are no files for the model to read or change.",
  placeNoService: "Patchbay could not open its conversations; the log says why.",
} as const;
