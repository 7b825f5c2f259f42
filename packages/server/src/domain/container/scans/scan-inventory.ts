import type { ScanInventory } from "./scans.ts";

type Inventory = ScanInventory["inventory"];

/** The members of an inventory that differ between scanners and images. */
export interface InventoryParts {
  readonly agent: { readonly uuid: string; readonly version: string };
  /** Name of the image: `registry.example.com/shop/checkout:4.2.0`. */
  readonly name: string;
  readonly runMode: string;
  readonly secrets: NonNullable<ScanInventory["high_entropy_strings"]>;
  readonly inventory: Inventory;
}

/** A complete inventory. Members about a cluster or a store of reports are empty. */
export const scanInventory = ({
  agent,
  name,
  runMode,
  secrets,
  inventory,
}: InventoryParts): ScanInventory => ({
  agent_uuid: agent.uuid,
  agent_version: agent.version,
  agent_version_hash: "",
  cluster_id: "",
  cluster_name: "",
  helm_version: "",
  host_ip: "",
  host_name: "",
  original_image_name: name,
  runmode: runMode,
  high_entropy_strings: secrets,
  inventory,
  scan_request: {
    Config: inventory.Config,
    ConfigInfo: inventory.ConfigInfo,
    ImageMetadata: {},
    Layers: inventory.Layers,
    Manifest: inventory.Manifest,
    high_entropy_strings_s3_key: "",
    image_inventory_s3_key: "",
    layer_inventory_s3_key: "",
    scan_report_s3_key: "",
    scan_request_s3_key: "",
  },
});
