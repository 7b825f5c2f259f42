import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultImageLimits, inventoryOf, readImage } from "@security-platform/server/internal";
import { ociLayout, tarOf, type TarFile } from "../../../testing/image.ts";
import { mutateBytes, mutateText } from "../mutate.ts";
import type { Random } from "../../../packages/spec-gate/tests/fuzz/edits.ts";
import { judged, type Target } from "../target.ts";

interface ImageInput {
  /** A tar archive in base64. */
  readonly archive: string;
}

const declared: readonly TarFile[] = [
  { path: "etc/os-release", content: 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian 12"\n' },
  {
    path: "var/lib/dpkg/status",
    content:
      "Package: a\nStatus: install ok installed\nVersion: 1:2.3-4\nArchitecture: amd64\nSource: b (1.0)\n\n",
  },
  { path: "lib/apk/db/installed", content: "P:musl\nV:1.2.4-r2\nA:x86_64\no:musl\n\n" },
  {
    path: "app/node_modules/a/package.json",
    content: '{"name":"a","version":"1.0.0","license":"MIT"}',
  },
  {
    path: "app/package-lock.json",
    content:
      '{"lockfileVersion":3,"packages":{"":{"name":"x"},"node_modules/b":{"version":"2.0.0"}}}',
  },
  { path: "app/yarn.lock", content: '# yarn lockfile v1\n\na@^1.0.0, a@~1:\n  version "1.2.3"\n' },
  {
    path: "usr/lib/x.dist-info/METADATA",
    content: "Metadata-Version: 2.1\nName: x\nVersion: 1.0\n\nText",
  },
  { path: "app/Cargo.lock", content: '[[package]]\nname = "serde"\nversion = "1.0.0"\n' },
  { path: "app/Gemfile.lock", content: "GEM\n  specs:\n    rails (7.0.0)\n      a (>= 1)\n" },
  { path: "app/x.deps.json", content: '{"libraries":{"A/1.0.0":{"type":"package"}}}' },
  {
    path: "app/packages.lock.json",
    content: '{"dependencies":{"net8.0":{"A":{"resolved":"1.0.0"}}}}',
  },
  { path: "app/lib/a.jar", content: Buffer.from("PK\u0003\u0004".padEnd(60, "\0")) },
  {
    path: "app/program",
    content: Buffer.from("\x7fELF\x02\x01\x01".padEnd(80, "\0"), "latin1"),
    mode: 0o755,
  },
  { path: "app/.env", content: "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n" },
  { path: "app/.wh.old" },
  { path: "app/link", type: "2", target: "../../../etc/passwd" },
];

const words: readonly string[] = [
  "ustar\u000000",
  "\0",
  "0000777",
  "99999999999",
  "path=",
  "27 path=a/../../../b\n",
  ".wh..wh..opq",
  "manifest.json",
  "index.json",
  '"mediaType"',
  '"size":-1',
  '"digest":"sha256:00"',
  '"layers":[]',
  "{",
  "}",
  "[",
  "]",
  "\n\n",
  ": ",
];

const pack = (files: ReadonlyMap<string, Buffer>): Buffer =>
  tarOf([...files].map(([path, content]) => ({ path, content })));

/** The file with a changed content, or with a changed path, type or target. */
function mutatedFile(random: Random, file: TarFile): TarFile {
  const { path, content = "", target = "" } = file;
  switch (random.below(5)) {
    case 0:
      return { ...file, path: mutateText(random, path, words).slice(0, 99) };
    case 1: {
      const type = random.pick(["0", "1", "2", "5"] as const) ?? "0";
      return { ...file, type, target: mutateText(random, target, [path, "/", ".."]).slice(0, 99) };
    }
    default:
      return { ...file, content: mutateBytes(random, Buffer.from(content), words) };
  }
}

/** Images: manifests, tar archives, compressed layers, and the files in them that declare packages. */
export const tars = (): Target<ImageInput> => ({
  name: "tars",
  runsIn: "own",
  generate: (random) => {
    const chosen = declared.filter(() => random.below(3) === 0);
    const packing = random.pick(["tar", "gzip", "zstd"] as const) ?? "tar";
    const outside = random.below(3);
    const layer =
      outside === 0
        ? chosen
        : outside === 1
          ? chosen.map((file) => mutatedFile(random, file))
          : mutateBytes(random, tarOf(chosen), words);
    const files = ociLayout({ layers: [layer], packing, name: "a:1" });
    const archive = outside === 0 ? mutateBytes(random, pack(files), words) : pack(files);
    return { archive: archive.toString("base64") };
  },
  send: async ({ archive }) => {
    const folder = mkdtempSync(join(tmpdir(), "fuzz-image-"));
    try {
      const path = join(folder, "a.tar");
      writeFileSync(path, Buffer.from(archive, "base64"));
      return await judged(["ImageError"], async () => {
        const contents = await readImage(path, { choice: {}, limits: defaultImageLimits });
        inventoryOf(contents, { name: "fuzz:1", version: "1", now: new Date(0) });
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});
