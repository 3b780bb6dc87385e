// Gets bubblewrap out of Debian's packages, by apt itself and without its being installed: whoever runs the tests need not
// be root. Its own C library goes with it, so that a release that is newer than this machine's runs here, too.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quietly } from "./processes.mjs";

const packages = ["bubblewrap", "libc6", "libcap2", "libselinux1", "libpcre2-8-0"];

/** The loader finds the libraries beside the program; what runs in the sandbox keeps its own. */
const starter = `#!/bin/sh
here=\${0%/*}
exec "$here/lib/$(cat "$here/loader")" --library-path "$here/lib" "$here/bubblewrap" "$@"
`;

/** Fills the folder with a `bwrap` that starts, of this machine's own release or of another one of Debian's. */
export async function buildBubblewrap(into, release) {
  const work = join(into, "work");
  mkdirSync(work);
  const own = await ownLists(work, release);
  const apt = (options, ...args) => quietly("apt-get", [...options, ...args], { cwd: work });
  const downloaded =
    release === undefined &&
    (await apt([], "download", ...packages).then(
      () => true,
      () => false,
    ));
  if (!downloaded) {
    // Nobody has asked for these lists on this machine, or not as root; they are kept here.
    await apt(own, "update");
    await apt(own, "download", ...packages);
  }
  for (const name of readdirSync(work).filter((each) => each.endsWith(".deb")))
    await quietly("dpkg", ["-x", join(work, name), join(work, "root")]);
  const lib = join(into, "lib");
  mkdirSync(lib);
  for (const file of librariesBelow(join(work, "root"))) copyFileSync(file, join(lib, baseName(file)));
  const loader = readdirSync(lib).find((name) => name.startsWith("ld-linux"));
  if (loader === undefined) throw new Error("There is no loader in libc6.");
  copyFileSync(join(work, "root/usr/bin/bwrap"), join(into, "bubblewrap"));
  writeFileSync(join(into, "loader"), loader);
  writeFileSync(join(into, "bwrap"), starter, { mode: 0o755 });
  const said = await quietly(join(into, "bwrap"), ["--version"]);
  writeFileSync(join(into, "version"), /[\d.]+/.exec(said)?.[0] ?? said);
  rmSync(work, { recursive: true });
}

/** Options with which apt keeps everything in our folder; for another release, with the mirror that it has been set up with. */
async function ownLists(work, release) {
  for (const name of ["lists/partial", "cache/archives/partial", "none"])
    mkdirSync(join(work, name), { recursive: true });
  const options = {
    "Dir::State": work,
    "Dir::State::Lists": join(work, "lists"),
    "Dir::State::status": "/var/lib/dpkg/status",
    "Dir::Cache": join(work, "cache"),
    "Acquire::Languages": "none",
    "Acquire::Retries": "0",
    "Acquire::http::Timeout": "20",
    "APT::Sandbox::User": "",
  };
  if (release !== undefined) {
    const sources = join(work, "sources.list");
    writeFileSync(sources, `deb [signed-by=${keyring}] ${await mirror()} ${release} main\n`);
    Object.assign(options, {
      "Dir::Etc::sourcelist": sources,
      "Dir::Etc::sourceparts": join(work, "none"),
      "Dir::Etc::preferencesparts": join(work, "none"),
    });
  }
  return Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

async function mirror() {
  const found = await quietly("apt-get", ["indextargets", "--format", "$(REPO_URI) $(COMPONENT)"]);
  const line = found.split("\n").find((each) => /\/debian\/? main$/.test(each));
  if (line === undefined) throw new Error("This machine's apt knows no mirror of Debian.");
  return line.split(" ")[0];
}

const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
const baseName = (file) => file.slice(file.lastIndexOf("/") + 1);

function librariesBelow(root) {
  const homes = ["lib", "usr/lib"]
    .map((each) => join(root, each))
    .filter((each) => existsSync(each))
    .flatMap((each) => readdirSync(each).map((name) => join(each, name)))
    .filter((each) => each.endsWith("-linux-gnu"));
  const wanted = /^(?:ld-linux.*\.so\.\d|lib(?:c|cap|selinux|pcre2-8)\.so\.\d+)$/;
  return homes.flatMap((home) =>
    readdirSync(home)
      .filter((name) => wanted.test(name))
      .map((name) => join(home, name)),
  );
}
