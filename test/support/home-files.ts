// What a person may have in their home, for tests of what a command in the sandbox sees of it.

/** Files below the home with credentials, beside the programs that may be seen. */
export const credentialFiles = [
  ...[
    ".ssh/id_ed25519",
    ".npmrc",
    ".cargo/credentials.toml",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
  ],
  ...[".gem/credentials", ".local/share/gem/credentials", ".julia/servers/pkg.example.org/auth.toml"],
  ...[".opam/plugins/opam-publish/user.token", ".opam/config"],
  ...[".dotnet/corefx/cryptography/x509stores/my/own.pfx", ".local/share/keyrings/login.keyring"],
  ...[".local/share/fish/fish_history", ".local/share/opencode/auth.json", "share/notes", "conf/settings"],
  "lib/own",
] as const;

/** Files below the home that programs need. */
export const programFiles = [
  ...[".local/bin/tool", ".local/lib/tool/main", "bin/tool", ".cargo/bin/tool", ".gem/ruby/3.3.0/gems/x.rb"],
  ...[".julia/packages/x/x.jl", ".opam/default/lib/x.cma", ".dotnet/dotnet", ".dotnet/sdk/x.dll"],
  "node/lib/node_modules/npm/bin/npm-cli.js",
] as const;
