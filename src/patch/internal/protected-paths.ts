// A table of the paths that execute, configure or unlock something: what runs when a folder is opened, built, tested,
// linted, committed or entered with a shell, and what holds secrets. Most severe first. Matching is implemented
// elsewhere.
import { type Message, message } from "../../conversation/messages.ts";

interface ProtectedPaths {
  readonly why: Message;
  /**
   * In lower case. `name` is a file of that name anywhere, `name/` everything in such a folder, `a/name` a file in such
   * a folder, `/name` a file at the top; `.name/` is also a file in place of that folder; `*` is any part of a name,
   * `{a,b}` one of several.
   */
  readonly files: readonly string[];
}

const script = "{js,cjs,mjs,jsx,ts,cts,mts,tsx}";
const yaml = "{yml,yaml}";
const gitHooks =
  "{applypatch-msg,commit-msg,fsmonitor-watchman,post-applypatch,post-checkout,post-commit,post-index-change,post-merge,post-receive,post-rewrite,post-update,pre-applypatch,pre-auto-gc,pre-commit,pre-merge-commit,pre-push,pre-rebase,pre-receive,prepare-commit-msg,proc-receive,push-to-checkout,reference-transaction,sendemail-validate,update}";

export const protectedPaths: readonly ProtectedPaths[] = [
  {
    why: message("cautionShell"),
    files: [
      ".bash{rc,_profile,_login,_logout,_aliases}",
      ".{profile,zshrc,zprofile,zshenv,zlogin,zlogout,kshrc,cshrc,tcshrc,login,logout,inputrc,xinitrc,xprofile,xsessionrc}",
      ...["config.fish", ".config/fish/", "*profile.ps1", ".envrc", ".direnvrc", ".direnv/", ".autoenv*"],
      ...[".tool-versions", "{,.}mise.*toml", ".mise/", ".rtx.toml", ".asdfrc", ".python-version"],
      ...[".tmux.conf", ".screenrc", ".curlrc", ".wgetrc", "crontab", "*.desktop", "*.service", "*.timer"],
      ...["autorun.inf", "desktop.ini", "*.{lnk,url,scf,reg,command}"],
    ],
  },
  {
    why: message("cautionRunsWithGit"),
    files: [
      ...[".husky/", ".huskyrc*", ".githooks/", ".git-hooks/", "githooks/", "git-hooks/", "{,.}lefthook*"],
      ...[".lefthook/", ".lefthook-local/", ".pre-commit-{config,hooks}.*", "{,.}simple-git-hooks.*"],
      ...[".overcommit.yml", "captainhook.json", `grumphp.${yaml}*`, "{,.}lint-staged*", ".lintstagedrc*"],
      ...[`hooks/${gitHooks}`, "*.git/"],
    ],
  },
  {
    why: message("cautionEditor"),
    files: [".vscode/", ".vscode-server/", ".vscode-test/", "*.code-workspace"],
  },
  {
    why: message("cautionAnEditor"),
    files: [
      ...[".idea/", ".vs/", ".zed/", ".fleet/", ".nova/", ".helix/", ".lapce/", ".theia/", ".run/"],
      ...["*.{iml,ipr,iws}", "*.sublime-*", ".{vimrc,gvimrc,exrc,nvimrc,lvimrc,vim}", ".nvim.lua"],
      ...[".vim/", ".nvim/", ".dir-locals*.el", ".emacs*", ".projectile", ".editrc", ".tm_properties"],
      ...[".kakrc", ".ycm_extra_conf.py", ".clangd", "compile_commands.json", "compile_flags.txt", ".ccls"],
      ...[".luarc.json*", "omnisharp.json", "rust-analyzer.toml", ".rust-analyzer.toml", ".solargraph.yml"],
      "analysis_options.yaml",
    ],
  },
  {
    why: message("cautionStartsTools"),
    files: ["{,.}mcp.json", ".mcp/", "*mcp{_,-}{config,settings,servers}.json", "claude_desktop_config.json"],
  },
  {
    why: message("cautionContainer"),
    files: [
      ...[".devcontainer/", ".devcontainer.json", "devcontainer.json", ".gitpod.*", ".gitpod/", ".replit"],
      ...["replit.nix", ".codesandbox/", ".stackblitzrc", "{,.}devfile.*", ".idx/", ".che/", "*.nix"],
      ...[".devenv/", "devbox.json", "guix.scm", "vagrantfile", "{,*.}{docker,container}file{,.*}"],
      ...[`{docker-,}compose*.${yaml}`, "docker-bake.*", "tiltfile", "earthfile", `skaffold.${yaml}`],
    ],
  },
  {
    why: message("cautionCommand"),
    files: [
      ...["node_modules/", "{.,}{venv,virtualenv}/", "env/{bin,scripts}/", "site-packages/", "vendor/bin/"],
      ...[".bin/", "gradlew{,.bat}", "gradle/wrapper/", "mvnw{,.cmd}", ".mvn/", "sbtx", "{,.}pnp.*"],
      ...[".yarn/", ".dart_tool/", ".nuke/", ".terraform/", "bazelisk{,.*}", "pants", "bin/activate*"],
      ".local/bin/",
    ],
  },
  {
    why: message("cautionToolStart"),
    files: [
      ...["{site,user}customize.py", "*.pth", ".pythonrc*", ".pythonstartup*", ".ipython/", ".jupyter/"],
      ...["{ipython,jupyter}*_config.*", ".pdbrc*", ".irbrc*", ".pryrc*", ".rprofile", ".renviron"],
      ...["rprofile.site", ".ghci", ".ocamlinit", ".iex.exs", ".gdbinit", ".lldbinit*", ".psqlrc", ".my.cnf"],
      ...[".sqliterc", ".mongo{,sh}rc.js", "{,.}ansible.cfg", "startup.jl", "{,.}latexmkrc", ".user.ini"],
      ...["php.ini", ".htaccess", ".terraformrc", "terraform.rc", "terragrunt.hcl", ".node_repl_history"],
      "renv/activate.r",
      ...[".{sbt,jvm}opts", ".java{,_tool}_options", "jvm.config", `pulumi*.${yaml}`],
    ],
  },
  {
    why: message("cautionScripts"),
    files: ["package.{json,json5,yaml}", "composer.json", "deno.json*", "jsr.json*"],
  },
  {
    why: message("cautionBuild"),
    files: [
      ...[
        "{,gnu,bsd}makefile{,.*}",
        "*.{mk,mak,make}",
        "{,.}justfile",
        "*.just",
        "{,.}taskfile{,.*}",
        "magefile*",
      ],
      ...[
        "cmakelists.txt",
        "*.cmake",
        "cmake{,user}presets.json",
        "meson.{build,options}",
        "meson_options.txt",
      ],
      ...[
        "sconstruct",
        "sconscript",
        "wscript",
        "build{,.bazel}",
        "workspace{,.bazel,.bzlmod}",
        "module.bazel",
      ],
      ...["*.bzl", ".bazelrc", ".bazelversion", "buck", ".buck*config", "configure{,.ac,.in}", "autogen.sh"],
      ...["{premake*,xmake}.lua", "conanfile.*", "vcpkg*.json", "build.{rs,zig,xml,sc,mill,cake,yaml,fsx}"],
      ...["cargo.toml", ".cargo/", "rust-toolchain*", "*.cake", "*.{gradle,gradle.*}", "gradle.properties"],
      ...["pom.xml", "*.sbt", "project/build.properties", "project.clj", "{deps,bb,shadow-cljs}.edn"],
      ...["mix.exs", ".formatter.exs", "rebar.config*", "erlang.mk", "*.cabal", "cabal.project*", "setup.hs"],
      ...["stack.yaml", "dune{,-project,-workspace}", "*.opam", "package.swift", "podfile", "*.podspec"],
      ...["cartfile*", "fastlane/", "*.{pbxproj,xcscheme,xcconfig}", "pubspec*.yaml", "*.{props,targets}"],
      ...[
        "*.*proj",
        "*.rsp",
        "{web,app}.config",
        "server.xml",
        "nuget.config",
        "global.json",
        "launchsettings.json",
      ],
      ...[
        "dotnet-tools.json",
        "setup.{py,cfg}",
        "pyproject.toml",
        "hatch{,_build}.{py,toml}",
        "{fabfile,dodo,pavement}.py",
      ],
      // In a deeper folder it is an ordinary module.
      ...["/tasks.py", "buildsrc/", ".moon/", "trunk.toml"],
      ...["gemfile", "gems.rb", "*.gemspec", "rakefile{,.rb}", "*.rake"],
      ...["{guard,cap,danger,brew,thor,berks,puppet,steep}file", "config.ru", "appraisals", ".bundle/"],
      ...[
        "{makefile,build}.pl",
        "cpanfile",
        "dist.ini",
        "*.rockspec",
        "_targets.r",
        "deps/build.jl",
        "artisan",
      ],
      ...["{deploy,castor,robofile}.php", ".air.toml", `.goreleaser.${yaml}`, ".swcrc", "angular.json"],
      ...["{nx,project,workspace,turbo,rush,lerna,firebase}.json", "nodemon.json", "procfile*", ".parcelrc"],
      ...[
        "vercel.json",
        "netlify.toml",
        "wrangler.{toml,json,jsonc}",
        `serverless.{yml,yaml,json,js,ts,cjs}`,
        "foundry.toml",
        "electron-builder.*",
      ],
      ...[`{gulp,grunt,jake,knex,plop}file{,.babel}.*`, `webpack*.${script}`, ".storybook/"],
      ...[
        ".vitepress/",
        ".vuepress/",
        `gatsby-*.${script}`,
        "ember-cli-build.js",
        "testem.{js,json,yml}",
        "quasar.conf*",
      ],
    ],
  },
  {
    why: message("cautionTool"),
    files: [
      ...[`*.{config,conf,workspace,setup}.${script}`, `.*rc.${script}`, `.hygen.js`, `.eleventy.*`],
      ...[`setup{tests,test,-tests}.${script}`, "{ts,js}config*.json", ".eslintrc*", ".prettierrc*"],
      ...[".stylelintrc*", ".babelrc*", ".postcssrc*", ".mocharc*", ".nycrc*", ".c8rc*", ".taprc*", ".tern*"],
      ...["{eslint,prettier,stylelint,babel,jest,vitest,vite,playwright,cypress,tailwind,postcss}.config.*"],
      ...[".commitlintrc*", ".releaserc*", ".czrc", ".cz-config*", ".remarkrc*", ".textlintrc*", ".jscsrc"],
      ...[
        ".markdownlint*",
        ".graphqlrc*",
        `codegen.{yml,yaml,json,ts}`,
        "typedoc.{js,cjs,json}",
        "dprint.json*",
        ".dprint.json*",
      ],
      ...[".pylintrc*", "pylintrc*", ".flake8", "{,.}mypy.ini", "tox.ini", "noxfile.py", "conftest.py"],
      ...[
        "{,.}pytest.{ini,toml}",
        "{,.}coveragerc",
        ".isort.cfg",
        "ruff.toml",
        ".bandit",
        "pyrightconfig.json",
      ],
      ...[".rubocop*", ".rspec", ".simplecov", ".standard.yml", ".reek*", ".haml-lint.yml", ".erb-lint.yml"],
      ...[".php-cs-fixer*", ".php_cs*", "phpunit.xml*", "phpstan*.neon*", "psalm.xml*", "rector.php"],
      ...[
        "{,.}phpcs.xml*",
        `.golangci.*`,
        ".luacheckrc",
        ".busted",
        ".proverc",
        ".perlcriticrc",
        ".credo.exs",
      ],
      ...[".oxlintrc*", "tslint.json", ".trunk/", `.vscode-test.${script}`, "cypress/{plugins,support}/"],
      ...["{.config/,}nextest.toml", ".changeset/config.json", "*.runsettings", "truffle{,-config}.js"],
      ...[".scalafix.conf", ".swiftlint.yml", "detekt*.yml", ".yo-rc.json", ".watchmanconfig", ".ember-cli"],
    ],
  },
  {
    why: message("cautionBuildService"),
    files: [
      ".github/{workflows,hooks,agents,actions,skills}/",
      ...[
        `.github/dependabot.${yaml}`,
        `action.${yaml}`,
        "{renovate.json,.renovaterc}*",
        ".gitlab-ci*",
        ".gitlab/",
      ],
      ...[
        `{,.}{travis,appveyor,bitrise,wercker,shippable,codemagic,cloudbuild,codefresh,screwdriver}*.${yaml}`,
      ],
      ...["{,.}azure-pipelines*", ".azure-pipelines/", ".azuredevops/", `bitbucket-pipelines.${yaml}`],
      ...[".circleci/", ".buildkite/", "jenkinsfile*", "*.jenkinsfile", ".{drone,woodpecker,cirrus,zuul}*"],
      ...[".woodpecker/", ".semaphore/", ".teamcity/", ".tekton/", "zuul.d/", "codeship-*", ".builds/"],
      ...[`.build.${yaml}`, ".{forgejo,gitea}/workflows/", ".ci/", ".harness/", ".dagger/", "dagger.json"],
      ...[
        `buildspec*.${yaml}`,
        `appspec.${yaml}`,
        `{heroku,render}.${yaml}`,
        "fly.toml",
        "railway.{json,toml}",
        "nixpacks.*",
      ],
    ],
  },
  {
    why: message("cautionSteersGit"),
    files: [
      ...[
        ".git{attributes,modules,config}",
        ".lfsconfig",
        "head",
        "packed-refs",
        "/config",
        "config.worktree",
        ".config/git/",
      ],
      ...["gitdir", "commondir", "objects/{info,pack}/", "refs/{heads,tags,remotes,stash}/"],
      "info/{attributes,exclude,grafts,sparse-checkout}",
    ],
  },
  {
    why: message("cautionVersions"),
    files: [".hg/", ".{hgrc,hgsub,hgeol}", ".svn/", ".bzr/", ".jj/", ".sl/", ".p4config", ".p4ignore"],
  },
  {
    why: message("cautionKey"),
    files: ["id_{rsa,dsa,ecdsa,ed25519}*", "*.{pem,key,pfx,p12,p8,jks,keystore,kdbx,ppk}"],
  },
  {
    why: message("cautionSecrets"),
    files: [
      ".env*",
      "*.env",
      ".{ssh,gnupg,aws,azure,kube,docker}/",
      ".{netrc,git-credentials,htpasswd,pgpass}",
    ],
  },
  {
    why: message("cautionPackageManager"),
    files: [
      ...[
        ".npmrc",
        ".yarnrc*",
        ".pnpmfile*",
        `pnpm-workspace.${yaml}`,
        "bunfig.toml",
        ".pypirc",
        "{,.}pip.conf",
      ],
      ...["{uv,poetry,pixi}.toml", "pipfile", "{requirements,constraints}*.txt", `environment*.${yaml}`],
      ...["{,.}condarc", "go.{mod,work,env}", ".gemrc"],
    ],
  },
  {
    why: message("cautionAssistant"),
    files: [
      ".{cursor,claude,codex,roo,cline,clinerules,gemini,windsurf,codeium,continue,goose,amazonq,kiro,trae,augment}/",
      ".{junie,kilocode,openhands,opencode,crush,qwen,zencoder,tabnine,cody,factory,warp,firebender,qodo,agent}/",
      ".{agents,ai,copilot,grok,iflow,codebuddy,lingma,devin,aider,bolt,rules,prompts}/",
      ".{cursor,cline,roo,windsurf,continue,kilocode,augment,codeium,gemini,copilot,aider,ai}{rules,ignore,modes}*",
      ".github/{copilot,prompts,instructions,chatmodes,collections}/",
      ...[
        ".cursorindexingignore",
        ".aider*",
        ".goosehints",
        ".augment-guidelines",
        ".continuerc.json",
        ".rules",
      ],
      ...[
        "agent{,s}{,.local,.override}.md",
        "{claude,gemini,qwen,crush,warp,grok,iflow,codebuddy}{,.local}.md",
      ],
      ...["copilot-instructions.md", "*.{instructions,prompt,chatmode,agent}.md", "skill.md", "replit.md"],
      ...["{,.}{opencode,crush,firebender}.json*", ".pr_agent.toml", `.coderabbit.${yaml}`, "greptile.json"],
      `{,.}sweep.${yaml}`,
    ],
  },
  { why: message("cautionPatchbay"), files: [".patchbay*", ".patchbay*/"] },
  {
    why: message("cautionPackages"),
    files: [
      ...["{package-lock,npm-shrinkwrap}.json", "pnpm-lock.yaml", "bun.lockb", "go.{sum,work.sum}", "*.lock"],
      ...["*.lock.json", "packages.lock.json", "package.resolved", "*.lockfile", "gemfile.lock", "mix.lock"],
    ],
  },
];
