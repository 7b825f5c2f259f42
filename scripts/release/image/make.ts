import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { run } from "../commands.ts";
import { settingsOf } from "./dockerfile.ts";

/** The user of the image, as in distroless images. */
const user = 65_532;

export interface Image {
  /** An OCI layout. */
  readonly layout: string;
  /** The files of the image, unpacked. */
  readonly files: string;
  /** Bytes of the compressed layers. */
  readonly size: number;
}

/**
 * Makes the image of the Dockerfile without an engine, as an OCI layout: the packed package, and Node.js of npm
 * with the libraries of this system, which is a Debian or like it. The settings are read from the Dockerfile.
 */
export async function makeImage(
  tarball: string,
  version: string,
  node: string,
  folder: string,
): Promise<Image> {
  const files = join(folder, "files");
  const layers = [await systemLayer(node, folder), await packageLayer(tarball, folder)];
  const data = join(folder, "data-layer");
  mkdirSync(join(data, "data"), { recursive: true });
  for (const name of ["tmp", "proc"]) mkdirSync(join(data, name));
  layers.push({ folder: data, owner: user });
  const layout = join(folder, "layout");
  mkdirSync(join(layout, "blobs/sha256"), { recursive: true });
  const put = (content: Buffer, mediaType: string) => {
    const hash = createHash("sha256").update(content).digest("hex");
    writeFileSync(join(layout, "blobs/sha256", hash), content);
    return { mediaType, digest: `sha256:${hash}`, size: content.length };
  };
  const descriptors = [];
  const contents: string[] = [];
  for (const [index, { folder: source, owner }] of layers.entries()) {
    const archive = join(folder, `layer-${index}.tar`);
    const reproducible = ["--sort=name", "--mtime=@0", "--numeric-owner", "--format=posix"];
    const pax = "--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime";
    const ids = [`--owner=${owner}`, `--group=${owner}`];
    const here = { folder, environment: process.env };
    await run(["tar", ...reproducible, pax, ...ids, "-C", source, "-cf", archive, "."], here);
    mkdirSync(files, { recursive: true });
    await run(["tar", "-xf", archive, "-C", files], here);
    const tar = readFileSync(archive);
    contents.push(`sha256:${createHash("sha256").update(tar).digest("hex")}`);
    descriptors.push(put(gzipSync(tar, { level: 9 }), `${oci}.layer.v1.tar+gzip`));
  }
  const { config, labels } = settingsOf({ VERSION: version });
  const image = {
    architecture: process.arch === "x64" ? "amd64" : process.arch,
    os: "linux",
    config: { ...config, Labels: labels },
    rootfs: { type: "layers", diff_ids: contents },
    history: layers.map(({ folder: source }) => ({ created_by: source.replace(folder, "") })),
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: `${oci}.manifest.v1+json`,
    config: put(bytes(image), `${oci}.config.v1+json`),
    layers: descriptors,
    annotations: labels,
  };
  const name = `ghcr.io/security-platform-api/secplat:${version}`;
  const entry = {
    ...put(bytes(manifest), manifest.mediaType),
    annotations: { "org.opencontainers.image.ref.name": name },
  };
  writeFileSync(join(layout, "oci-layout"), bytes({ imageLayoutVersion: "1.0.0" }));
  writeFileSync(join(layout, "index.json"), bytes({ schemaVersion: 2, manifests: [entry] }));
  return { layout, files, size: descriptors.reduce((sum, { size }) => sum + size, 0) };
}

const oci = "application/vnd.oci.image";
const bytes = (value: object): Buffer => Buffer.from(JSON.stringify(value));

interface Layer {
  readonly folder: string;
  readonly owner: number;
}

/** Node.js, the libraries that it loads, and what scanners read to know the versions of these libraries. */
async function systemLayer(node: string, workspace: string): Promise<Layer> {
  const folder = join(workspace, "system-layer");
  const here = { folder: workspace, environment: { ...process.env, LC_ALL: "C" } };
  const add = (from: string, to: string): void => {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    cpSync(realpathSync(from), join(folder, to));
  };
  add(node, "nodejs/bin/node");
  const { stdout } = await run(["ldd", node], here);
  const libraries = [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  // Node.js looks up host names with these.
  const names = libraries.map((path) => dirname(path)).find((each) => each !== "/lib64");
  const resolvers = ["libnss_dns.so.2", "libnss_files.so.2", "libresolv.so.2"].map((name) =>
    join(names ?? "", name),
  );
  for (const path of [...libraries, ...resolvers.filter((each) => existsSync(each))])
    add(path, path);
  add("/etc/os-release", "etc/os-release");
  const packages = new Set<string>();
  for (const path of libraries) {
    // A package may list a file by its path before /lib became a link to /usr/lib.
    const paths = [path, realpathSync(path)];
    const owned = await run(["dpkg-query", "--search", ...paths], here, "any");
    const [, name] = /^([^:\s]+)/.exec(owned.stdout) ?? [];
    if (name !== undefined) packages.add(name);
  }
  mkdirSync(join(folder, "var/lib/dpkg/status.d"), { recursive: true });
  for (const name of packages) {
    const status = await run(["dpkg-query", "--status", name], here);
    writeFileSync(join(folder, "var/lib/dpkg/status.d", name), status.stdout);
  }
  writeFileSync(
    join(folder, "etc/passwd"),
    `root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:${user}:${user}:nonroot:/data:/sbin/nologin\n`,
  );
  writeFileSync(join(folder, "etc/nsswitch.conf"), "hosts: files dns\n");
  return { folder, owner: 0 };
}

async function packageLayer(tarball: string, workspace: string): Promise<Layer> {
  const folder = join(workspace, "package-layer");
  mkdirSync(join(folder, "app"), { recursive: true });
  const words = ["tar", "-xzf", tarball, "--strip-components=1", "-C", join(folder, "app")];
  await run(words, { folder: workspace, environment: process.env });
  return { folder, owner: 0 };
}
