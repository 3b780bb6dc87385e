// The settings of all tests of this folder: windows with the same ones are shared. Questions come soon, before the
// problems are looked at and before more than this goes out.
export const settings = {
  "patchbay.webSearch.default": true,
  "patchbay.spend.askAboveTokens": 36_000,
  "patchbay.agent.tools": { problems: "ask" },
};
