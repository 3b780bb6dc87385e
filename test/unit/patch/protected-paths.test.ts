// What is asked about before a patch touches it, row by row: paths with the worst reason of each, ordinary paths that
// nobody is to be asked about, and text that nobody sees.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cautions } from "../../../src/conversation/internal/patch-sentences.ts";
import { message } from "../../../src/conversation/messages.ts";
import { protectedPaths } from "../../../src/patch/internal/protected-paths.ts";
import {
  confirmationReasons,
  dangersIn,
  foldName,
  isSensitive,
  mostSevereFirst,
  protectionOf,
  weightOf,
} from "../../../src/patch/paths.ts";
import { english } from "../../support/english.ts";

const rows: Readonly<Record<string, string>> = {
  "it runs with every shell":
    ".bashrc .zshenv .profile .config/fish/conf.d/a.fish Microsoft.PowerShell_profile.ps1 .envrc .direnvrc .tool-versions mise.toml .mise.local.toml .inputrc autorun.inf evil.desktop x.lnk",
  "it runs with Git":
    ".husky/pre-commit .huskyrc.json .githooks/pre-push lefthook.yml .lefthook.toml lefthook-local.yml .pre-commit-config.yaml .pre-commit-hooks.yaml .simple-git-hooks.json .overcommit.yml .lintstagedrc lint-staged.config.mjs hooks/post-checkout repo.git/config vendor/x.git/hooks/update captainhook.json",
  "it steers the editor":
    ".vscode/settings.json .vscode/tasks.json app.code-workspace sub/.vscode/launch.json",
  "it steers an editor":
    ".idea/workspace.xml app.iml .vs/tasks.vs.json .zed/settings.json .nvim.lua .exrc .vimrc .dir-locals.el .dir-locals-2.el app.sublime-project .ycm_extra_conf.py .clangd compile_commands.json omnisharp.json rust-analyzer.toml .luarc.json .solargraph.yml",
  "it starts tools for an assistant":
    ".mcp.json mcp.json mcp_config.json cline_mcp_settings.json claude_desktop_config.json",
  "it builds the development container":
    ".devcontainer/devcontainer.json .devcontainer.json .gitpod.yml .replit shell.nix flake.nix default.nix devbox.json Vagrantfile Dockerfile Dockerfile.dev web.dockerfile Containerfile docker-compose.yml compose.override.yaml Tiltfile devfile.yaml",
  "it is run as a command":
    "node_modules/.bin/tsc node_modules/a/index.js .venv/bin/python venv/bin/activate env/bin/python .venv/lib/python3/site-packages/a.py vendor/bin/phpunit gradlew gradlew.bat gradle/wrapper/gradle-wrapper.properties mvnw .mvn/maven.config .pnp.cjs .yarn/releases/yarn.cjs",
  "it runs when a tool starts":
    "sitecustomize.py usercustomize.py lib/a.pth .pythonrc.py .irbrc .pryrc .Rprofile .Renviron .ghci .iex.exs .gdbinit .lldbinit .psqlrc .latexmkrc ansible.cfg .htaccess .user.ini .sbtopts .jvmopts .terraformrc",
  "its scripts run on this computer":
    "package.json packages/a/package.json composer.json deno.json deno.jsonc",
  "it runs with the build":
    "Makefile GNUmakefile makefile rules.mk justfile Taskfile.yml CMakeLists.txt a.cmake CMakePresets.json meson.build SConstruct BUILD.bazel WORKSPACE a.bzl .bazelrc build.rs .cargo/config.toml Cargo.toml build.zig build.gradle settings.gradle.kts gradle.properties pom.xml build.sbt project.clj mix.exs rebar.config Package.swift Podfile App.csproj Directory.Build.props a.targets nuget.config Properties/launchSettings.json setup.py setup.cfg pyproject.toml Gemfile a.gemspec Rakefile a.rake Guardfile config.ru Makefile.PL angular.json nx.json turbo.json Procfile netlify.toml gulpfile.js Gruntfile.js webpack.config.js webpack.prod.ts .storybook/main.ts ember-cli-build.js foundry.toml",
  "it runs with a development tool":
    "eslint.config.js .eslintrc .eslintrc.json .eslintrc.cjs prettier.config.mjs .prettierrc .prettierrc.yaml vite.config.ts vitest.config.ts vitest.workspace.ts rollup.config.js babel.config.json .babelrc jest.config.js jest.setup.ts playwright.config.ts cypress.config.ts tailwind.config.js postcss.config.cjs .postcssrc next.config.mjs nuxt.config.ts svelte.config.js astro.config.mjs karma.conf.js .mocharc.yml .nycrc tsconfig.json tsconfig.build.json .stylelintrc .commitlintrc.json .releaserc .markdownlint-cli2.cjs .pylintrc pylintrc .flake8 mypy.ini tox.ini noxfile.py conftest.py tests/conftest.py pytest.ini .coveragerc .rubocop.yml .rspec .php-cs-fixer.php phpunit.xml phpstan.neon .golangci.yml .luacheckrc .perlcriticrc codegen.yml dprint.json .eleventy.js",
  "it runs on the build service":
    ".github/workflows/ci.yml .github/actions/a/action.yml .github/dependabot.yml action.yml renovate.json .gitlab-ci.yml .gitlab/ci/a.yml .travis.yml azure-pipelines.yml bitbucket-pipelines.yml appveyor.yml .circleci/config.yml .buildkite/pipeline.yml Jenkinsfile .drone.yml .woodpecker/a.yml .cirrus.yml .semaphore/semaphore.yml .teamcity/settings.kts .tekton/a.yaml cloudbuild.yaml buildspec.yml .forgejo/workflows/a.yml .gitea/workflows/a.yml .builds/a.yml codemagic.yaml bitrise.yml .ci/run fly.toml",
  "it steers Git":
    ".gitattributes .gitmodules .gitconfig .lfsconfig HEAD packed-refs .config/git/config objects/info/alternates refs/heads/main info/attributes config.worktree",
  "it steers version control": ".hg/hgrc .hgrc .svn/entries .jj/repo/config.toml",
  "it may hold a key": "deploy/id_rsa certs/server.pem a.p8 release.keystore",
  "it may hold secrets": ".env .env.local prod.env .aws/credentials .netrc",
  "it steers a package manager":
    ".npmrc .yarnrc.yml .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml pip.conf uv.toml Pipfile requirements.txt requirements-dev.txt environment.yml go.mod go.work",
  "it steers an assistant":
    "AGENTS.md AGENTS.override.md sub/CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md .cursorrules .cursor/rules/a.mdc .claude/settings.json .codex/config.toml .clinerules .clinerules/a.md .roo/rules/a.md .roomodes .windsurfrules .windsurf/rules/a.md .continue/config.yaml .aider.conf.yml .goosehints .amazonq/rules/a.md .kiro/steering/a.md .trae/rules/a.md .junie/guidelines.md .kilocode/rules/a.md .augment-guidelines .openhands/microagents/a.md .opencode/agent/a.md opencode.json .github/copilot-instructions.md .github/prompts/a.prompt.md .github/instructions/a.instructions.md .github/chatmodes/a.chatmode.md a.agent.md skills/a/SKILL.md .rules .coderabbit.yaml .agents/a.md",
  "it steers Patchbay": ".patchbayignore .patchbay/state.json",
  "it decides which packages are installed":
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml Cargo.lock go.sum uv.lock flake.lock bun.lockb poetry.lock",
};

/** A path may have several reasons; the file of rows names the worst. */
const all = Object.entries(rows).flatMap(([why, paths]) =>
  paths.split(" ").map((path) => [path, why] as const),
);

test("at least 150 protected paths need confirmation, each for its most severe reason", () => {
  assert.ok(all.length >= 150, String(all.length));
  const wrong = all.filter(
    ([path, why]) => english(mostSevereFirst(protectionOf(foldName(path)))[0]) !== why,
  );
  assert.deepEqual(
    wrong.map(([path, why]) => [path, why, mostSevereFirst(protectionOf(foldName(path)))]),
    [],
  );
  for (const [path] of all) assert.ok(protectionOf(foldName(`deep/er/${path}`)).length > 0, path);
});

const ordinary =
  `src/main.ts src/cart.ts README.md docs/guide.md src/hooks/useCart.ts src/objects/tree.ts src/refs.ts index.html
  style.css src/config.ts src/config/index.ts lib/head.ts main.go cmd/build/main.go app/models/user.rb config/routes.rb lib.rs
  src/lib.rs a.py tests/test_a.py app/tasks.py src/environment.ts data.json data/a.yaml notes.txt CHANGELOG.md LICENSE
  .gitignore .editorconfig .npmignore .dockerignore scripts/deploy.sh src/rules.ts src/agent.ts docs/agents/readme.md env.ts
  src/components/Dockerizer.tsx a.sql schema.graphql a.proto src/app.service.ts a.component.ts types.d.ts i18n/en.json
  public/robots.txt .github/ISSUE_TEMPLATE.md .github/CODEOWNERS src/updates/update.ts a.svg a.ps1 lua/init.lua a.tex
  src/workspace.ts src/package.ts lock.ts src/build.ts src/codegen.cpp docs/ecosystem.md src/jest.ts src/vite/a.ts`.split(
    /\s+/,
  );

test("the parts of a bare repository at the top of a folder need confirmation", () => {
  for (const path of ["HEAD", "config", "objects/info/alternates", "hooks/pre-commit", "refs/heads/main"])
    assert.ok(protectionOf(foldName(path)).length > 0, path);
  assert.deepEqual(protectionOf("app/config"), []);
});

test("a line break in a name does not evade protection", () => {
  assert.deepEqual(protectionOf(".vscode/a\nb"), [message("cautionEditor")]);
  assert.deepEqual(protectionOf("a\nb/.vscode/x\u2028"), [message("cautionEditor")]);
});

test("ordinary files need no confirmation", () => {
  const asked = ordinary.filter((path) => protectionOf(foldName(path)).length > 0);
  assert.deepEqual(asked, []);
});

test("every reason has a sentence, and mostSevereFirst sorts unseen text first and lock files last", () => {
  const reasons = [...protectedPaths.map(({ why }) => why), ...Object.values(confirmationReasons)];
  const known: readonly string[] = Object.values(cautions);
  for (const reason of [...reasons, ...dangersIn("\u202e\u200b\u001b")])
    assert.ok(known.includes(english(reason)), english(reason));
  assert.equal(new Set(protectedPaths.map(({ why }) => why)).size, protectedPaths.length);
  const sorted = mostSevereFirst([...reasons, message("cautionInvisible")].toReversed());
  assert.equal(sorted[0]?.code, "cautionInvisible");
  assert.equal(sorted.at(-1)?.code, "cautionPackages");
  assert.equal(weightOf(message("cautionSchema", { host: "evil.example" })), 0);
});

test("isSensitive skips reasons that a review shows completely", () => {
  assert.equal(
    isSensitive([confirmationReasons.emptied, confirmationReasons.ignored, confirmationReasons.replaced]),
    false,
  );
  assert.equal(isSensitive([confirmationReasons.emptied, confirmationReasons.hardLink]), true);
  assert.equal(isSensitive([]), false);
});

const invisible = [
  "\u200b",
  "\u200c",
  "\u200d",
  "\u2060",
  "\ufeff",
  "\u00ad",
  "\u034f",
  "\u115f",
  "\u180e",
  "\u3164",
];

test("dangersIn finds invisible characters, except those of scripts and emoji", () => {
  const selectors = [0xe0100, 0xe0142, 0xe01ef].map((code) => String.fromCodePoint(code));
  for (const hidden of [...invisible, ...selectors, "\ufe0f", "\u{e0041}", "\u2028", "\u2029", "\ud800"]) {
    const code = hidden.codePointAt(0)?.toString(16);
    assert.deepEqual(dangersIn(`const a${hidden} = 1;`), [message("cautionInvisible")], code);
  }
  // An ideograph may have a variant, which may as well carry a byte.
  assert.deepEqual(dangersIn("葛\u{e0100}"), [message("cautionInvisible")]);
  for (const control of ["\u001b[2K", "a\rb", "\r", "\u0000", "\u0008", "\u007f", "\u009b31m", "\u0085"])
    assert.deepEqual(dangersIn(`x${control}y`), [message("cautionControl")], JSON.stringify(control));
  for (const turned of ["\u202e", "\u2066", "\u061c", "\u200f"])
    assert.deepEqual(dangersIn(`a${turned}b`), [message("cautionDirection")]);
  for (const plain of ["a\r\n\tb\n", "👩‍👩‍👧 ❤️ 1️⃣", "می‌خواهم", "क्‍ष", "日本語", "naïve"])
    assert.deepEqual(dangersIn(plain), [], plain);
});

test("dangersIn finds a schema URL however its key and value are spelled", () => {
  for (const text of [
    String.raw`{ "\u0024schema": "https://evil.example/x" }`,
    String.raw`{ "$\u0073chema": "https:\/\/evil.example\/x" }`,
    String.raw`{ "\u{24}schema": "\u0068ttps://evil.example/x" }`,
    String.raw`"\x24schema": "https://evil.example/x"`,
    String.raw`"\U00000024schema": 'https://evil.example/x'`,
    '{ "$schema": /* the usual one */ "https://evil.example/x" }',
    '{ "$schema": "//evil.example/x" }',
    '{ "$schema": "ftp://evil.example/x" }',
    '<!DOCTYPE a SYSTEM "&#104;ttps://evil.example/x">',
    '<!DOCTYPE a SYSTEM "//evil.example/x">',
  ])
    assert.deepEqual(dangersIn(text), [message("cautionSchema", { host: "evil.example" })], text);
  for (const text of [
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
    '{ "$schema": "./local.json" } // https://evil.example',
    String.raw`const path = "a\/b";`,
  ])
    assert.deepEqual(dangersIn(text), [], text);
});

describe("files that configure a tool", () => {
  const paths =
    ".oxlintrc.json tslint.json .trunk/trunk.yaml .vscode-test.mjs cypress/plugins/index.js .config/nextest.toml Trunk.toml renv/activate.R .changeset/config.json .runsettings ci.runsettings .moon/tasks.yml truffle-config.js buildSrc/src/main/kotlin/a.kt .vscode .idea .husky .vscode-test/user-data/User/settings.json .local/bin/node";

  test("need confirmation in any folder", () => {
    for (const path of paths.split(" "))
      for (const at of [path, `deep/er/${path}`]) assert.ok(protectionOf(foldName(at)).length > 0, at);
  });

  test("need confirmation only at the top when their name is a common one", () => {
    assert.ok(protectionOf("tasks.py").length > 0);
    for (const path of ["app/tasks.py", "src/trunk.ts", ".changeset/brave-cats.md", "cypress/e2e/cart.cy.js"])
      assert.deepEqual(protectionOf(path), [], path);
  });
});

describe("non-ASCII blanks", () => {
  const dangers = (text: string, path: string) => dangersIn(text, path);
  const found = [message("cautionInvisible")];
  const blanks = ["\u00a0", "\u2000", "\u2009", "\u202f", "\u3000"];

  test("are found in code and in indentation", () => {
    for (const blank of blanks) {
      for (const [path, text] of [
        ["a.ts", `const a${blank}= 1;`],
        ["a.sh", `rm -rf ./a${blank}/b`],
        ["a.py", `if x:\n${blank}${blank}go()`],
        ["Makefile", `all:\n\tcc${blank}a.c`],
        ["a.yml", `a:\n ${blank}b: 1`],
        ["a.tsx", `\n${blank} const a = 1;`],
        ["a.js", `const a = "x"; // it's\nconst b${blank}= 1;`],
        ["a.go", `a := "\\"" +${blank}b`],
      ] as const)
        assert.deepEqual(dangers(text, path), found, `${path} ${JSON.stringify(text)}`);
    }
  });

  test("are allowed in strings, comments, prose and data", () => {
    for (const blank of blanks)
      for (const [path, text] of [
        ["a.ts", `const a = "10${blank}€"; // 10${blank}€`],
        ["a.ts", `const a = 'l\\'a${blank}b' + \`c${blank}\nd${blank}\`;`],
        ["a.ts", `/**\n * Prix${blank}: 10\n */\nconst a = 1;`],
        ["a.ts", ` * Prix${blank}: 10`],
        ["a.py", `"""Prix${blank}:\n${blank} 10"""\n# 10${blank}€`],
        ["a.tsx", `<p>10${blank}€</p>`],
        ["a.yml", `title: Prix${blank}: 10`],
        ["README.md", `${blank}Prix${blank}: 10`],
        ["a.txt", `${blank}${blank}第一段`],
        ["a.json", `{"a": "10${blank}€"}`],
      ] as const)
        assert.deepEqual(dangers(text, path), [], `${path} ${JSON.stringify(text)}`);
  });

  test("do not excuse noncharacters, which are found anywhere", () => {
    for (const path of ["a.ts", "a.md"])
      for (const none of ["\ufffe", "\uffff", "\ufdd0", "\u{1fffe}"])
        assert.deepEqual(dangers(`"a${none}b"`, path), found, path);
  });
});

test("dangersIn finds a schema URL in a TOML comment", () => {
  const fetched = [message("cautionSchema", { host: "evil.example" })];
  for (const text of [
    "#:schema https://evil.example/a.json",
    "a = 1\n#:schema\thttps://evil.example/a.json\n",
  ])
    assert.deepEqual(dangersIn(text, "a.toml"), fetched, text);
  assert.deepEqual(dangersIn("#:schema ./a.json\n# see https://evil.example", "a.toml"), []);
});
