import { where } from "@security-platform/fql";
import type { ImageParts, TarFile } from "../../../../testing/image.ts";
import { registryImages } from "../../src/domain/container/registries/registry-images.ts";
import type { TestApi } from "./api.ts";
import { exported } from "./exports.ts";

export const osRelease = (id: string, version: string): TarFile => ({
  path: "etc/os-release",
  content: `ID=${id}\nVERSION_ID=${version}\n`,
});

export const npm = (name: string, version: string): TarFile => ({
  path: `app/node_modules/${name}/package.json`,
  content: JSON.stringify({ name, version }),
});

const dpkgEntry = (name: string, version: string): string =>
  `Package: ${name}\nStatus: install ok installed\nVersion: ${version}\nArchitecture: amd64\n\n`;

/** An image as Debian's packages leave it, in two layers. */
export const debian: ImageParts = {
  layers: [
    [
      osRelease("debian", "12"),
      { path: "var/lib/dpkg/status", content: dpkgEntry("zlib1g", "1:1.2.13.dfsg-1") },
    ],
    [
      {
        path: "var/lib/dpkg/status",
        content: dpkgEntry("zlib1g", "1:1.2.13.dfsg-1") + dpkgEntry("openssl", "3.0.11-1~deb12u2"),
      },
      npm("lodash", "4.17.20"),
      { path: "app/.env", content: "DB_PASSWORD=7hUx92mQpZ\n" },
    ],
  ],
  packing: "zstd",
};

export const alpine: ImageParts = {
  layers: [
    [
      osRelease("alpine", "3.18.4"),
      { path: "lib/apk/db/installed", content: "P:busybox\nV:1.36.1-r2\nA:x86_64\no:busybox\n\n" },
    ],
  ],
};

/** Without a package manager: one file for each package. */
export const distroless: ImageParts = {
  layers: [
    [
      osRelease("debian", "12"),
      {
        path: "var/lib/dpkg/status.d/tzdata",
        content: "Package: tzdata\nVersion: 2024a-0+deb12u1\nArchitecture: all\n",
      },
    ],
  ],
  architecture: "arm64",
};

interface ListedImage {
  readonly repository: string;
  readonly tag: string;
  readonly architecture: string;
  readonly os_name: string;
  readonly image_digest: string;
  readonly package_count: number;
}

/** The newest scans of all images, as an export lists them. */
export async function imagesOf(api: TestApi): Promise<readonly ListedImage[]> {
  const text = await exported(api, {
    resource: "images.images-assessment",
    format: "json",
    sort: "repository|asc",
  });
  return JSON.parse(text) as readonly ListedImage[];
}

/** The images of registries as the store has them. */
export const storedImages = async (api: TestApi) => {
  const records = api.store.records(registryImages, { cid: api.tenant.cid });
  const { items } = await records.page({
    predicate: where.everything,
    sort: [],
    limit: 100,
    shape: "ids",
    now: api.clock.now(),
  });
  return [...(await records.getComplete(items, api.clock.now())).values()];
};

/** Requests for layers and configurations. */
export const pulls = ({ requests }: { readonly requests: readonly string[] }): readonly string[] =>
  requests.filter((each) => each.includes("/blobs/"));
