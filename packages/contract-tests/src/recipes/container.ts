import { exports } from "./exports.ts";
import { registries } from "./registries.ts";
import type { JsonObject } from "../requests/request.ts";
import { sha256Of, uuidOf } from "./identifiers.ts";
import type {
  CollectionRecipe,
  OperationRecipe,
  RecipeRequest,
  ResourceRecipe,
  Step,
  Subject,
} from "./recipe.ts";

const digest = (...parts: readonly (string | number)[]): string => `sha256:${sha256Of(...parts)}`;

/** The name of an image, and the data of its scan. */
const image = (namespace: string, number: number): JsonObject => ({
  repository: `${namespace}/image-${number}`,
  tag: `1.${number}`,
  name: `${namespace}/image-${number}:1.${number}`,
  image_id: digest("config", namespace, number),
  image_digest: digest("manifest", namespace, number),
});

/** The inventory of an image with one package and one library. */
function inventoryOf({ repository, tag, image_id, image_digest }: JsonObject): JsonObject {
  const layer = { digest: digest("layer", String(image_id)), size: 1_024 };
  const config = { architecture: "amd64", os: "linux", rootfs: { type: "layers", diff_ids: [] } };
  const start = {
    Cmd: null,
    Entrypoint: ["/app"],
    Env: [],
    ExposedPorts: {},
    Labels: {},
    StopSignal: "",
    User: "10001",
    Volumes: {},
    WorkingDir: "/",
  };
  const manifest = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: { mediaType: "application/vnd.oci.image.config.v1+json", digest: image_id, size: 512 },
    layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", ...layer }],
  };
  const layers = [
    {
      CreatedAt: "2026-03-01T22:10:00Z",
      CreatedBy: "COPY app /",
      Digest: layer.digest,
      Size: layer.size,
      type: 0,
    },
  ];
  return {
    agent_uuid: "1d7c5b3a-9e2f-4860-b4d1-8f6a0c3e7592",
    agent_version: "1.0.0",
    agent_version_hash: "1",
    cluster_id: "",
    cluster_name: "",
    helm_version: "",
    host_ip: "",
    host_name: "contract",
    original_image_name: `registry.example.com/${String(repository)}:${String(tag)}`,
    runmode: "cli",
    inventory: {
      ImageInfo: {
        Architecture: "amd64",
        Digest: image_digest,
        ID: image_id,
        IndexDigest: "",
        Registry: "registry.example.com",
        Repository: repository,
        Size: 1_024,
        Tag: tag,
      },
      OSInfo: { Name: "debian", Version: "12" },
      Packages: [{ Product: "zlib1g", MajorVersion: "1:1.2.13.dfsg-1", LayerIndex: 0 }],
      ApplicationPackages: [
        { type: "npm", libraries: [{ Name: "left", Version: "1.0.0", LayerIndex: 0 }] },
      ],
      ELFBinaries: [],
      Layers: layers,
      Config: config,
      ConfigInfo: start,
      Manifest: manifest,
      InventoryEngineInfo: {
        CWPPScannerVersion: "1.0.0",
        EngineVersion: "1.0.0",
        MalwareMetadata: {},
      },
    },
    scan_request: {
      Config: config,
      ConfigInfo: start,
      ImageMetadata: {},
      Layers: layers,
      Manifest: manifest,
      high_entropy_strings_s3_key: "",
      image_inventory_s3_key: "",
      layer_inventory_s3_key: "",
      scan_report_s3_key: "",
      scan_request_s3_key: "",
    },
  };
}

/** Every inventory needs its own ticket. A rejected inventory does not use it up. */
const withTicket: Step = {
  operation: "HeadImageScanInventory",
  parts: {},
  passedOn: ["x-scan-ticket"],
  reusable: true,
};

const scan = (described: JsonObject): RecipeRequest => ({
  first: [withTicket],
  body: inventoryOf(described),
});

/** The steps that scan an image before a request uses it. */
const scanned = (described: JsonObject): readonly Step[] => [
  withTicket,
  { operation: "PostImageScanInventory", parts: { body: inventoryOf(described) } },
];

const deleted = ({ image_id }: JsonObject): Step => ({
  operation: "DeleteImageDetails",
  parts: { path: { image_id: String(image_id) } },
});

const named = ({ namespace, records: [record] }: Subject): RecipeRequest => {
  const { repository, tag } = record ?? image(namespace, 0);
  return { query: { repository: String(repository), tag: String(tag) } };
};

/** Images with a scan, identified by one of their members. */
const images = (idField: string): ResourceRecipe => ({
  idField,
  phantom: (namespace, number) => ({
    ...image(`phantom-${namespace}`, number),
    uuid: uuidOf("scan", namespace, number),
  }),
  lifecycle: null,
  find: async ({ namespace, read, write, sendLast }) => {
    const records: JsonObject[] = [];
    for (let number = 0; number < 3; number += 1) {
      const described = image(namespace, number);
      await write("PostImageScanInventory", scan(described));
      const { operation, parts } = deleted(described);
      sendLast(operation, parts);
      const query = { repository: String(described["repository"]), tag: `1.${number}` };
      const report = await read("GetReportByReference", { query });
      const { ScanInfo } = report as { readonly ScanInfo: { readonly ScanUUID: string } };
      records.push({ ...described, uuid: ScanInfo.ScanUUID });
    }
    return records;
  },
});

/** Reads the findings of the newest scan of an image. */
const aboutImage: OperationRecipe = {
  resource: "image-scans",
  effect: "none",
  answersAbout: { 404: "scanned-images" },
  single: true,
  otherForm: true,
  request: named,
};

const checksImage: OperationRecipe = {
  ...aboutImage,
  restless: ["evaluated_at", "created_at", "updated_at"],
};

export const container: CollectionRecipe = {
  resources: {
    ...exports.resources,
    ...registries.resources,
    // An inventory creates a scan, but the request does not equal the record, so scans are looked
    // up.
    "image-scans": images("uuid"),
    "scanned-images": images("name"),
    "images-to-delete": images("image_id"),
  },
  operations: {
    ...exports.operations,
    ...registries.operations,
    HeadImageScanInventory: { resource: null, effect: "none" },
    PostImageScanInventory: {
      resource: null,
      effect: "change",
      restless: ["meta", "resources"],
      request: ({ namespace }) => {
        const described = image(namespace, 9);
        return { ...scan(described), last: [{ ...deleted(described), undoes: true }] };
      },
    },
    GetReportByReference: aboutImage,
    GetReportByScanID: {
      resource: "image-scans",
      effect: "none",
      single: true,
      otherForm: true,
      request: ({ records: [record] }) => ({ path: { uuid: String(record?.["uuid"]) } }),
    },
    GetImageAssessmentReport: aboutImage,
    PolicyChecks: checksImage,
    ImageMatchesPolicy: checksImage,
    DeleteImageDetails: {
      resource: "images-to-delete",
      effect: "remove",
      alone: true,
      single: true,
      otherForm: true,
      request: ({ records: [record = {}] }) => ({
        path: { image_id: String(record["image_id"]) },
        // Creates the record to delete, unless the case needs a nonexistent record.
        ...(String(record["repository"]).startsWith("phantom-") ? {} : { first: scanned(record) }),
      }),
    },
    ReadImageVulnerabilities: { resource: null, effect: "none" },
  },
};
