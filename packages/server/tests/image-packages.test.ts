import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { TarFile } from "../../../testing/image.ts";
import { readLayer } from "./support/read-layer.ts";
import { temporaryFolder } from "./support/server-process.ts";
import { permissionsOf } from "../src/domain/container/images/packages/readers.ts";

const dpkgQuery = "dpkg-query";
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

describe("packages of an operating system", () => {
  const packagesOf = async (...files: readonly TarFile[]): Promise<readonly string[]> =>
    (await readLayer(...files)).packages.map(({ item }) =>
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
      const { packages } = await readLayer({ path: "var/lib/dpkg/status", content });
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
    const { warnings } = await readLayer({ path, content: "no database" });
    expect(warnings).toMatchObject([expect.stringMatching(/rpmdb\.sqlite: not an rpm database: /)]);
    const old = await readLayer({ path: "var/lib/rpm/Packages", content: "x" });
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
    const { system } = await readLayer({ path: "usr/lib/os-release", content });
    expect(system === undefined ? "" : `${system.item.name} ${system.item.version}`).toBe(expected);
  });
});

test("secrets are found in the files of the image, but not in files of packages", async () => {
  const content = "a=1\nDB_PASSWORD=7hUx92mQpZ\n";
  const { secrets } = await readLayer(
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
