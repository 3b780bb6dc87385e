// Why a file that a patch touches deserves a second look: the core's words for people, known again by their form.

/** What patch-view.ts of core/tools says; the reasons are those of protection.ts and paths.ts of core/patch. */
export const cautionSentences = {
  cautionLook: "Look twice: {why}.",
  cautionEditor: "it steers the editor",
  cautionAnEditor: "it steers an editor",
  cautionContainer: "it builds the development container",
  cautionBuildService: "it runs on the build service",
  cautionRunsWithGit: "it runs with Git",
  cautionSteersGit: "it steers Git",
  cautionScripts: "its scripts run on this machine",
  cautionPackages: "it decides which packages are installed",
  cautionPackageManager: "it steers a package manager",
  cautionSecrets: "it may hold secrets",
  cautionKey: "it may hold a key",
  cautionBuild: "it runs with the build",
  cautionStartsTools: "it starts tools for an assistant",
  cautionAssistant: "it steers an assistant",
  cautionPatchbay: "it steers Patchbay",
  cautionShell: "it runs with every shell",
  cautionDirection: "it adds text-direction characters",
  cautionInvisible: "it adds invisible characters",
  cautionSchema: "it makes editors fetch a schema from {host}",
  cautionSettings: "the settings protect it",
  cautionHardLink: "the file has another name on disk (a hard link)",
} as const;
