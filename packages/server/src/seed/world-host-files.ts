import type { HostFiles } from "../host-files/host-files.ts";
import type { World } from "./worlds.ts";

/** The connection to the hosts of a world that will be generated with the seed 1. Null: none can be reached. */
export async function worldHostFiles(world: World | undefined): Promise<HostFiles | null> {
  if (world !== "small") return null;
  // Most platforms in pages have no world, so its code is loaded here.
  const { documentedHostFiles } = await import("./story-host-files.ts");
  return documentedHostFiles();
}
