import { scanInventory } from "../domain/container/scans/scan-inventory.ts";
import type { ScanInventory } from "../domain/container/scans/scans.ts";

type Package = readonly [name: string, version: string, source?: string];
type Inventory = ScanInventory["inventory"];

/** An image of the demo world, in brief. */
export interface SeededImage {
  readonly repository: string;
  readonly tag: string;
  readonly system: readonly [name: string, version: string];
  readonly packages: readonly Package[];
  /** Libraries by their kind. */
  readonly libraries?: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  readonly user?: string;
  readonly ports?: readonly string[];
  readonly environment?: readonly string[];
  /** The build steps in their order. */
  readonly steps?: readonly string[];
  readonly secrets?: NonNullable<ScanInventory["high_entropy_strings"]>;
  /** Size in mebibytes. */
  readonly size: number;
}

export const seededImages: readonly SeededImage[] = [
  {
    repository: "shop/checkout",
    tag: "4.2.0",
    system: ["debian", "12"],
    size: 214,
    packages: [
      ["libc6", "2.36-9+deb12u4", "glibc"],
      ["zlib1g", "1:1.2.13.dfsg-1", "zlib"],
      ["openjdk-17-jre-headless", "17.0.9+9-1~deb12u1", "openjdk-17"],
    ],
    libraries: {
      maven: [
        ["org.apache.logging.log4j:log4j-core", "2.14.1"],
        ["org.springframework:spring-beans", "5.3.17"],
        ["com.fasterxml.jackson.core:jackson-databind", "2.13.1"],
        ["org.yaml:snakeyaml", "1.30"],
        ["com.google.guava:guava", "33.0.0-jre"],
      ],
    },
    ports: ["8080/tcp"],
    steps: ["COPY checkout.jar /app/", 'ENTRYPOINT ["java" "-jar" "/app/checkout.jar"]'],
    secrets: [
      {
        Path: "app/config/payment.properties",
        LayerIndex: 0,
        Strings: [{ Line: 12, Name: "payment.api.key", RegexName: "stripe-key" }],
      },
    ],
  },
  {
    repository: "shop/storefront",
    tag: "7.1.3",
    system: ["alpine", "3.18.4"],
    size: 96,
    user: "node",
    packages: [
      ["libcurl", "8.3.0-r0", "curl"],
      ["nghttp2-libs", "1.55.1-r0", "nghttp2"],
      ["musl", "1.2.4-r2", "musl"],
      ["zlib", "1.2.13-r1", "zlib"],
    ],
    libraries: {
      npm: [
        ["express", "4.18.2"],
        ["qs", "6.10.1"],
        ["lodash", "4.17.20"],
        ["minimist", "1.2.5"],
        ["ws", "8.16.0"],
        ["axios", "1.5.1"],
        ["follow-redirects", "1.15.4"],
        ["react", "18.2.0"],
      ],
    },
    ports: ["3000/tcp"],
  },
  {
    repository: "data/reports",
    tag: "2.0",
    system: ["debian", "11"],
    size: 412,
    user: "reports",
    packages: [
      ["libc6", "2.31-13+deb11u6", "glibc"],
      ["libssl1.1", "1.1.1k-1+deb11u1", "openssl"],
      ["zlib1g", "1:1.2.11.dfsg-2+deb11u1", "zlib"],
      ["libcurl4", "7.74.0-1.3+deb11u9", "curl"],
    ],
    libraries: {
      pypi: [
        ["Django", "3.2.12"],
        ["requests", "2.30.0"],
        ["urllib3", "1.26.16"],
        ["Jinja2", "3.1.2"],
        ["PyYAML", "5.3.1"],
        ["pillow", "9.5.0"],
        ["pdoc", "14.4.0"],
        ["paramiko", "3.3.1"],
      ],
    },
    environment: ["DJANGO_SECRET_KEY=p7v!x2m9q4w8z1k6"],
  },
  {
    repository: "edge/gateway",
    tag: "1.9.2",
    system: ["debian", "12"],
    size: 38,
    user: "65532",
    packages: [["libc6", "2.36-9+deb12u2", "glibc"]],
    libraries: {
      gobinary: [
        ["golang.org/x/net", "v0.15.0"],
        ["golang.org/x/crypto", "v0.14.0"],
        ["google.golang.org/grpc", "v1.58.2"],
        ["golang.org/x/text", "v0.13.0"],
      ],
    },
    ports: ["8443/tcp"],
  },
  {
    repository: "ops/bastion",
    tag: "latest",
    system: ["debian", "12"],
    size: 122,
    packages: [
      ["openssh-server", "1:9.2p1-2+deb12u2", "openssh"],
      ["curl", "7.88.1-10+deb12u3", "curl"],
      ["libwebp7", "1.2.4-0.2", "libwebp"],
      ["libnghttp2-14", "1.52.0-1", "nghttp2"],
    ],
    ports: ["22/tcp"],
    steps: [
      "ADD https://downloads.example.com/tools.tar.gz /opt/",
      "RUN /bin/sh -c chmod -R 777 /opt/tools # buildkit",
      'CMD ["/usr/sbin/sshd" "-D"]',
    ],
  },
  {
    repository: "legacy/batch",
    tag: "8.3",
    system: ["rhel", "8.3"],
    size: 530,
    user: "batch",
    packages: [
      ["sudo", "1.8.29-6.el8", "sudo"],
      ["polkit", "0.115-12.el8", "polkit"],
      ["glibc", "2.28-225.el8", "glibc"],
      ["bash", "4.4.20-4.el8", "bash"],
    ],
    libraries: {
      nuget: [
        ["Newtonsoft.Json", "12.0.3"],
        ["System.Text.Json", "8.0.3"],
        ["Serilog", "3.1.1"],
      ],
    },
  },
  {
    repository: "legacy/wiki",
    tag: "5",
    system: ["debian", "7"],
    size: 298,
    packages: [
      ["libssl1.0.0", "1.0.1e-2+deb7u4", "openssl"],
      ["bash", "4.2+dfsg-0.1", "bash"],
    ],
    libraries: {
      gem: [
        ["actionview", "5.2.2"],
        ["nokogiri", "1.13.3"],
        ["rack", "2.2.3"],
        ["puma", "6.4.2"],
      ],
    },
  },
  {
    repository: "tools/builder",
    tag: "nightly",
    system: ["debian", "13"],
    size: 611,
    user: "builder",
    packages: [
      ["liblzma5", "5.6.1-1", "xz-utils"],
      ["bash", "5.2.21-2", "bash"],
    ],
    libraries: {
      cargo: [
        ["time", "0.2.22"],
        ["openssl", "0.10.50"],
        ["regex", "1.5.4"],
        ["tokio", "1.13.0"],
        ["serde", "1.0.197"],
      ],
    },
  },
  {
    repository: "base/static",
    tag: "1.0",
    system: ["alpine", "3.20.3"],
    size: 6,
    user: "nobody",
    packages: [
      ["musl", "1.2.5-r0", "musl"],
      ["xz-libs", "5.6.2-r0", "xz"],
    ],
  },
];

const registry = "registry.example.com";

/** The inventory that a scanner would send of the image. `digest` creates hashes, 64 digits each. */
export function inventoryOf(
  image: SeededImage,
  created: string,
  digest: () => string,
): ScanInventory {
  const { repository, tag, system, libraries = {}, secrets = [], environment = [] } = image;
  const layer = `sha256:${digest()}`;
  const size = image.size * 2 ** 20;
  const config = {
    User: image.user ?? "",
    Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", ...environment],
    ExposedPorts: Object.fromEntries((image.ports ?? []).map((port) => [port, {}])),
    Cmd: null,
    Entrypoint: null,
    Labels: {},
    WorkingDir: "/",
  };
  const configInfo = { ...config, Cmd: [], Entrypoint: [], StopSignal: "", Volumes: {} };
  const ociImage: Inventory["Config"] = {
    architecture: "amd64",
    os: "linux",
    created,
    config,
    rootfs: { type: "layers", diff_ids: [`sha256:${digest()}`] },
    history: (image.steps ?? []).map((created_by) => ({ created, created_by })),
  };
  const id = `sha256:${digest()}`;
  const manifest: Inventory["Manifest"] = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: { mediaType: "application/vnd.oci.image.config.v1+json", digest: id, size: 1_187 },
    layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", digest: layer, size }],
  };
  const layers: Inventory["Layers"] = [
    { CreatedAt: created, CreatedBy: "", Digest: layer, Size: size, type: 0 },
  ];
  const place = { LayerHash: layer, LayerIndex: 0 };
  return scanInventory({
    agent: { uuid: "demo", version: "1" },
    name: `${registry}/${repository}:${tag}`,
    runMode: "demo",
    secrets,
    inventory: {
      ImageInfo: {
        Architecture: "amd64",
        CreatedAt: created,
        Digest: `sha256:${digest()}`,
        ID: id,
        IndexDigest: "",
        Registry: registry,
        Repository: repository,
        Size: size,
        Tag: tag,
      },
      OSInfo: { Name: system[0], Version: system[1], ...place },
      Packages: image.packages.map(([Product, MajorVersion, source]) => ({
        Product,
        MajorVersion,
        ...(source === undefined ? {} : { PackageSource: `${source} ${MajorVersion}` }),
        Vendor: system[0],
        ...place,
      })),
      ApplicationPackages: Object.entries(libraries).map(([type, named]) => ({
        type,
        libraries: named.map(([Name, Version]) => ({ Name, Version, Path: "app", ...place })),
      })),
      ELFBinaries: [],
      Layers: layers,
      Config: ociImage,
      ConfigInfo: configInfo,
      Manifest: manifest,
      InventoryEngineInfo: { CWPPScannerVersion: "1", EngineVersion: "1", MalwareMetadata: {} },
    },
  });
}
