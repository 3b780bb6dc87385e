// What is missing or wrong before there is a connection: address and key. Activation itself says these.

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
