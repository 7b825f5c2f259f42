import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { ociLayout, writeFolder, type TarFile } from "../../../testing/image.ts";
import { temporaryFolder } from "./support/server-process.ts";
import { defaultLimits, type Limits } from "../src/domain/container/images/limits.ts";
import { readImage } from "../src/domain/container/images/read-image.ts";
import { permissionsOf } from "../src/domain/container/images/packages/readers.ts";

const read = (...files: readonly TarFile[]) =>
  readImage(writeFolder(temporaryFolder(), ociLayout({ layers: [files] })), {
    choice: {},
    limits: defaultLimits,
  });

const dpkgQuery = "dpkg-query";
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

describe("packages of an operating system", () => {
  const packagesOf = async (...files: readonly TarFile[]): Promise<readonly string[]> =>
    (await read(...files)).packages.map(({ item }) =>
      [item.Product, item.MajorVersion, item.SoftwareArchitecture, item.PackageSource].join(" | "),
    );

  test("dpkg: installed packages with their source; without a package manager, one file per package", async () => {
    const zlib =
      "Package: zlib1g\nStatus: install ok installed\nArchitecture: amd64\nSource: zlib\nVersion: 1:1.2.13.dfsg-1\nDescription: x\n Package: none\n";
    const libc =
      "Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nSource: glibc (2.36-9)\nVersion: 2.36-9+b1\n";
    const removed = "Package: gone\nStatus: deinstall ok config-files\nVersion: 1\n";
    const all = [
      "zlib1g | 1:1.2.13.dfsg-1 | amd64 | zlib 1:1.2.13.dfsg-1",
      "libc6 | 2.36-9+b1 | amd64 | glibc 2.36-9",
    ];
    expect(
      await packagesOf({ path: "var/lib/dpkg/status", content: [zlib, libc, removed].join("\n") }),
    ).toEqual(all);
    expect(
      await packagesOf(
        {
          path: "var/lib/dpkg/status.d/zlib1g",
          content: zlib.replace("Status: install ok installed\n", ""),
        },
        { path: "var/lib/dpkg/status.d/libc6", content: libc },
        { path: "var/lib/dpkg/status.d/libc6.md5sums", content: "Package: no\nVersion: 1\n" },
      ),
    ).toEqual(all);
  });

  test.runIf(has(dpkgQuery))(
    "dpkg: as many packages as dpkg-query lists on this machine",
    async () => {
      const listed = execFileSync(
        dpkgQuery,
        ["-W", "-f", "${db:Status-Status} ${Package} ${Version}\\n"],
        { encoding: "utf8" },
      );
      const expected = listed.split("\n").filter((line) => line.startsWith("installed "));
      const content = readFileSync("/var/lib/dpkg/status");
      const { packages } = await read({ path: "var/lib/dpkg/status", content });
      expect(
        packages.map(({ item }) => `installed ${item.Product} ${item.MajorVersion}`).toSorted(),
      ).toEqual(expected.toSorted());
    },
  );

  test("apk: the installed packages, with their origin", async () => {
    const content =
      "C:Q1x\nP:libcurl\nV:8.3.0-r0\nA:x86_64\no:curl\nF:usr/lib\nR:libcurl.so\nP:no\n\nP:musl\nV:1.2.4-r2\nA:x86_64\no:musl\n\n";
    for (const path of ["lib/apk/db/installed", "usr/lib/apk/db/installed"]) {
      expect(await packagesOf({ path, content })).toEqual([
        "libcurl | 8.3.0-r0 | x86_64 | curl 8.3.0-r0",
        "musl | 1.2.4-r2 | x86_64 | musl 1.2.4-r2",
      ]);
    }
  });

  test("rpm: the packages in a SQLite database, including those that are only in its log", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "rpmdb.sqlite");
    const database = new DatabaseSync(file);
    database.exec(
      "PRAGMA journal_mode = WAL; CREATE TABLE Packages (hnum INTEGER PRIMARY KEY, blob BLOB NOT NULL)",
    );
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const insert = database.prepare("INSERT INTO Packages (blob) VALUES (?)");
    insert.run(
      rpmHeader({
        1000: "openssh",
        1001: "8.7p1",
        1002: "38.el9",
        1022: "x86_64",
        1044: "openssh-8.7p1-38.el9.src.rpm",
      }),
    );
    insert.run(
      rpmHeader({
        1000: "bind-libs",
        1001: "9.16.23",
        1002: "1.el9",
        1003: 32,
        1044: "bind-9.16.23-1.el9.src.rpm",
      }),
    );
    insert.run(rpmHeader({ 1000: "gpg-pubkey", 1001: "x", 1002: "y" }));
    const path = "usr/lib/sysimage/rpm/rpmdb.sqlite";
    const files = [
      { path, content: readFileSync(file) },
      { path: `${path}-wal`, content: readFileSync(`${file}-wal`) },
    ];
    expect(await packagesOf(...files)).toEqual([
      "openssh | 8.7p1-38.el9 | x86_64 | openssh 8.7p1-38.el9",
      "bind-libs | 32:9.16.23-1.el9 |  | bind 32:9.16.23-1.el9",
    ]);
    database.close();
    const { warnings } = await read({ path, content: "no database" });
    expect(warnings).toMatchObject([expect.stringMatching(/rpmdb\.sqlite: not an rpm database: /)]);
    const old = await read({ path: "var/lib/rpm/Packages", content: "x" });
    expect(old.warnings).toMatchObject([expect.stringMatching(/older format are not supported/)]);
  });

  test.runIf(has("rpmbuild"))("rpm: a package that was installed by rpm", async () => {
    const folder = temporaryFolder();
    const spec =
      "Name: demo\nEpoch: 2\nVersion: 1.5\nRelease: 3.el9\nSummary: x\nLicense: MIT\nBuildArch: noarch\n%description\nx\n%files\n";
    writeFileSync(join(folder, "demo.spec"), spec);
    const run = (program: string, ...words: readonly string[]): void => {
      execFileSync(program, words, { cwd: folder, stdio: "pipe" });
    };
    run("rpmbuild", "--define", `_topdir ${folder}`, "-ba", "demo.spec");
    mkdirSync(join(folder, "db"));
    const rpm = ["--dbpath", join(folder, "db"), "--define", "_db_backend sqlite"];
    run("rpm", ...rpm, "--initdb");
    run(
      "rpm",
      ...rpm,
      "--justdb",
      "--nodeps",
      "-i",
      join(folder, "RPMS/noarch/demo-1.5-3.el9.noarch.rpm"),
    );
    const content = readFileSync(join(folder, "db/rpmdb.sqlite"));
    expect(await packagesOf({ path: "var/lib/rpm/rpmdb.sqlite", content })).toEqual([
      "demo | 2:1.5-3.el9 | noarch | demo 2:1.5-3.el9",
    ]);
  });

  test.each([
    ['ID=debian\nVERSION_ID="12"\n', "debian 12"],
    ['PRETTY_NAME="Debian GNU/Linux trixie/sid"\nID=debian\n', "debian 13"],
    ["ID='alpine'\nVERSION_ID=3.18.4\n", "alpine 3.18.4"],
    ["NAME=x\n", ""],
  ])("os-release %j", async (content, expected) => {
    const { system } = await read({ path: "usr/lib/os-release", content });
    expect(system === undefined ? "" : `${system.item.name} ${system.item.version}`).toBe(expected);
  });
});

describe("libraries of applications", () => {
  const librariesOf = async (...files: readonly TarFile[]): Promise<readonly string[]> =>
    (await read(...files)).libraries.map(({ item }) => `${item.type} ${item.name} ${item.version}`);

  test.each<readonly [string, string, readonly string[]]>([
    [
      "app/node_modules/@x/y/package.json",
      '{"name":"@x/y","version":"1.2.3","license":"MIT"}',
      ["npm @x/y 1.2.3"],
    ],
    ["app/node_modules/x/lib/package.json", '{"name":"no","version":"1.2.3"}', []],
    [
      "app/package-lock.json",
      '{"lockfileVersion":3,"packages":{"":{"version":"9.9.9"},"node_modules/a":{"version":"1.0.0"},"node_modules/a/node_modules/@b/c":{"version":"2.0.0"},"node_modules/d":{"version":"3.0.0","dev":true}}}',
      ["npm a 1.0.0", "npm @b/c 2.0.0"],
    ],
    [
      "app/package-lock.json",
      '{"lockfileVersion":1,"dependencies":{"a":{"version":"1.0.0","dependencies":{"b":{"version":"2.0.0"}}},"d":{"version":"3.0.0","dev":true}}}',
      ["npm a 1.0.0", "npm b 2.0.0"],
    ],
    [
      "app/yarn.lock",
      '"@a/b@^1.0.0", "@a/b@^1.1.0":\n  version "1.2.0"\n\nlodash@^4.17.0:\n  version "4.17.20"\n',
      ["npm @a/b 1.2.0", "npm lodash 4.17.20"],
    ],
    [
      "app/yarn.lock",
      '__metadata:\n  version: 8\n\n"ws@npm:^8.0.0":\n  version: 8.16.0\n',
      ["npm ws 8.16.0"],
    ],
    [
      "usr/lib/python3/site-packages/PyYAML-5.3.1.dist-info/METADATA",
      "Metadata-Version: 2.1\nName: PyYAML\nVersion: 5.3.1\nLicense: MIT\n\nName: no\n",
      ["pypi PyYAML 5.3.1"],
    ],
    [
      "usr/lib/python3/dist-packages/six-1.16.0.egg-info/PKG-INFO",
      "Name: six\r\nVersion: 1.16.0\r\n\r\n",
      ["pypi six 1.16.0"],
    ],
    [
      "app/Cargo.lock",
      '[[package]]\nname = "own"\nversion = "0.1.0"\n\n[[package]]\nname = "time"\nversion = "0.2.22"\nsource = "registry+x"\n',
      ["cargo time 0.2.22"],
    ],
    [
      "app/Gemfile.lock",
      "GIT\n  specs:\n    no (1.0)\n\nGEM\n  specs:\n    rack (2.2.3)\n      dep (>= 1)\n    nokogiri (1.13.3-x86_64-linux)\n\nPLATFORMS\n  ruby\n",
      ["gem rack 2.2.3", "gem nokogiri 1.13.3"],
    ],
    [
      "usr/lib/ruby/gems/3.1.0/specifications/rack-2.2.3.gemspec",
      'Gem::Specification.new do |s|\n  s.name = "rack".freeze\n  s.version = "2.2.3"\n',
      ["gem rack 2.2.3"],
    ],
    [
      "app/app.deps.json",
      '{"libraries":{"app/1.0.0":{"type":"project"},"Newtonsoft.Json/12.0.3":{"type":"package"}}}',
      ["nuget Newtonsoft.Json 12.0.3"],
    ],
    [
      "app/packages.lock.json",
      '{"version":1,"dependencies":{"net8.0":{"System.Text.Json":{"type":"Direct","resolved":"8.0.3"},"own":{"type":"Project"}}}}',
      ["nuget System.Text.Json 8.0.3"],
    ],
    ["app/package-lock.json", "not json", []],
  ])("%s", async (path, content, expected) => {
    expect(await librariesOf({ path, content })).toEqual(expected);
  });

  test("the same library is listed once", async () => {
    const lock = '{"packages":{"node_modules/a":{"version":"1.0.0"}}}';
    expect(
      await librariesOf(
        { path: "app/package-lock.json", content: lock },
        { path: "app/node_modules/a/package.json", content: '{"name":"a","version":"1.0.0"}' },
      ),
    ).toEqual(["npm a 1.0.0"]);
  });

  test("Java archives: by Maven's files, by the manifest, by the file name, and in nested archives", async () => {
    const properties = "groupId=org.apache.logging.log4j\nartifactId=log4j-core\nversion=2.14.1\n";
    const log4j = await zip({
      "META-INF/maven/org.apache.logging.log4j/log4j-core/pom.properties": properties,
    });
    const bundle = await zip({
      "META-INF/MANIFEST.MF":
        "Manifest-Version: 1.0\r\nBundle-SymbolicName: org.example.thing;singleton:=tr\r\n ue\r\nBundle-Version: 3.1\r\n",
    });
    const war = await zip({
      "WEB-INF/lib/log4j-core-2.14.1.jar": log4j,
      "WEB-INF/lib/thing.jar": bundle,
      "WEB-INF/lib/commons-io-2.7.jar": await zip({ x: "" }),
      "notes.jar": "no archive",
    });
    expect(await librariesOf({ path: "srv/app-1.0.war", content: war })).toEqual([
      "maven app 1.0",
      "maven org.apache.logging.log4j:log4j-core 2.14.1",
      "maven org.example:thing 3.1",
      "maven commons-io 2.7",
    ]);
    const { warnings } = await read({ path: "a.jar", content: "no archive" });
    expect(warnings).toMatchObject([expect.stringContaining("a.jar: not a readable Java archive")]);
  });

  test("Java archives that unpack to too much are refused, one by one and in sum", async () => {
    const inner = await zip({ "META-INF/MANIFEST.MF": Buffer.alloc(2 ** 20) });
    const bomb = await zip({ "lib/a.jar": inner, "lib/b.jar": inner });
    const readWith = (limits: Partial<Limits>) =>
      readImage(
        writeFolder(
          temporaryFolder(),
          ociLayout({
            layers: [
              [
                { path: "a.jar", content: bomb },
                { path: "b.jar", content: bomb },
              ],
            ],
          }),
        ),
        { choice: {}, limits: { ...defaultLimits, ...limits } },
      );
    const mebibytes = (count: number): number => count * 2 ** 20 + 2 ** 19;
    await expect(readWith({ archiveBytes: mebibytes(1) })).rejects.toThrow(
      "a.jar unpacks to more than 1572864 bytes",
    );
    await expect(readWith({ ratioFrom: 2 ** 20 })).rejects.toThrow("it looks like a zip bomb");
    await expect(readWith({ unpackedBytes: mebibytes(3) })).rejects.toThrow(
      "its layers unpack to more than 3670016 bytes",
    );
    expect((await readWith({})).warnings).toEqual([]);
  });

  test("Go executables contain their modules; Rust executables contain their crates if they are auditable", async () => {
    const modules =
      "path\tx\nmod\texample.com/x\t(devel)\t\ndep\tgolang.org/x/net\tv0.15.0\th1:x\ndep\told\tv1.0.0\n=>\tnew\tv1.0.1\th1:y\n";
    const version = Buffer.from("go1.21.3 X:nocoverage");
    const list = Buffer.concat([Buffer.alloc(16, 1), Buffer.from(modules), Buffer.alloc(16, 2)]);
    const info = Buffer.concat([
      Buffer.from("\xff Go buildinf:\x08\x02", "latin1"),
      Buffer.alloc(16),
      Buffer.from([version.length]),
      version,
      Buffer.from([(list.length & 0x7f) | 0x80, list.length >> 7]),
      list,
    ]);
    const elf = Buffer.concat([elfHeader(), info]);
    expect(await librariesOf({ path: "usr/bin/x", content: elf, mode: 0o755 })).toEqual([
      "gobinary stdlib 1.21.3",
      "gobinary golang.org/x/net v0.15.0",
      "gobinary new v1.0.1",
    ]);
    const crates = {
      packages: [
        { name: "time", version: "0.2.22", source: "registry" },
        { name: "own", version: "1.0.0", source: "local" },
      ],
    };
    const content = elfWith(".dep-v0", deflateSync(JSON.stringify(crates)));
    const { libraries, executables } = await read({ path: "usr/bin/y", content, mode: 0o4755 });
    expect(libraries.map(({ item }) => item)).toEqual([
      { type: "cargo", name: "time", version: "0.2.22" },
    ]);
    expect(executables).toMatchObject([
      { path: "usr/bin/y", item: { permissions: "-rwsr-xr-x", size: content.length } },
    ]);
  });
});

test("secrets are found in the files of the image, but not in files of packages", async () => {
  const content = "a=1\nDB_PASSWORD=7hUx92mQpZ\n";
  const { secrets } = await read(
    { path: "app/.env", content },
    { path: "app/node_modules/x/test/.env", content },
    { path: "usr/share/doc/x/config", content },
    { path: "app/binary", content: `\0${content}` },
  );
  expect(secrets).toEqual([
    {
      path: "app/.env",
      layer: 0,
      item: {
        Line: 2,
        Name: "DB_PASSWORD",
        RegexName: "assigned-secret",
        Hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
        String: "7h********",
      },
    },
  ]);
});

test.each([
  [0o644, "-rw-r--r--"],
  [0o4755, "-rwsr-xr-x"],
  [0o2644, "-rw-r-Sr--"],
  [0o1777, "-rwxrwxrwt"],
])("%o is shown as %s", (mode, text) => {
  expect(permissionsOf(mode)).toBe(text);
});

/** The header of a package in an rpm database. */
function rpmHeader(values: Readonly<Record<number, string | number>>): Buffer {
  const index: Buffer[] = [];
  const data: Buffer[] = [];
  let offset = 0;
  for (const [tag, value] of Object.entries(values)) {
    const bytes = typeof value === "number" ? Buffer.alloc(4) : Buffer.from(`${value}\0`);
    if (typeof value === "number") bytes.writeUInt32BE(value);
    const entry = Buffer.alloc(16);
    entry.writeUInt32BE(Number(tag), 0);
    entry.writeUInt32BE(typeof value === "number" ? 4 : 6, 4);
    entry.writeUInt32BE(offset, 8);
    entry.writeUInt32BE(1, 12);
    index.push(entry);
    data.push(bytes);
    offset += bytes.length;
  }
  const counts = Buffer.alloc(8);
  counts.writeUInt32BE(index.length, 0);
  counts.writeUInt32BE(offset, 4);
  return Buffer.concat([counts, ...index, ...data]);
}

async function zip(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [name, content] of Object.entries(files))
    archive.addBuffer(Buffer.from(content), name);
  archive.end();
  const parts: Buffer[] = [];
  for await (const part of archive.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** The start of an executable of 64 bits without sections. */
function elfHeader(): Buffer {
  const header = Buffer.alloc(128);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  return header;
}

/** An executable with one section, and the one with its name. */
function elfWith(name: string, content: Buffer): Buffer {
  const header = elfHeader().subarray(0, 64);
  const names = Buffer.from(`\0${name}\0.shstrtab\0`);
  const table = 64 + content.length + names.length;
  header.writeBigUInt64LE(BigInt(table), 0x28);
  header.writeUInt16LE(64, 0x3a);
  header.writeUInt16LE(2, 0x3c);
  header.writeUInt16LE(1, 0x3e);
  const section = (nameAt: number, offset: number, size: number): Buffer => {
    const entry = Buffer.alloc(64);
    entry.writeUInt32LE(nameAt, 0);
    entry.writeBigUInt64LE(BigInt(offset), 0x18);
    entry.writeBigUInt64LE(BigInt(size), 0x20);
    return entry;
  };
  return Buffer.concat([
    header,
    content,
    names,
    section(1, 64, content.length),
    section(name.length + 2, 64 + content.length, names.length),
  ]);
}
