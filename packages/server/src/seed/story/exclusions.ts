import type { Cast } from "./cast.ts";
import { step, type Step } from "./step.ts";

/** Exclusions of both versions: for a backup tool on some hosts, and for a deployment agent everywhere. */
export function exclusionSteps({ known, at, groups }: Cast): readonly Step[] {
  const backup = known("5e8d1c2b7a694f30b1c2d3e4f5a60718");
  return [
    step("createIOAExclusionsV1", {
      at: at(42, "09:02:33.871"),
      ids: [known("c3f0a9b8d7e64c5594a3b2c1d0e9f8a7")],
      body: {
        name: "Inventory of the deployment agent",
        pattern_id: "5702",
        pattern_name: "Enumeration of installed software",
        ifn_regex: String.raw`.*\\Harbour Deploy\\agent\.exe`,
        cl_regex: String.raw`.*agent\.exe --inventory`,
        groups: ["all"],
      },
    }),
    step("ss-ioa-exclusions.create.v2", {
      at: at(1, "11:20:05.410"),
      ids: [backup],
      body: {
        exclusions: [
          {
            name: "Nightly backup",
            description: "Snapshots of the finance workstations",
            comment: "Proposed from a detection",
            pattern_id: "41005",
            ifn_regex: String.raw`.*\\Harbour Backup\\bin\\harbour-backup\.exe`,
            cl_regex: String.raw`.*--snapshot \d+`,
            parent_ifn_regex: String.raw`.*\\System32\\services\.exe`,
            host_groups: ["all"],
          },
        ],
      },
    }),
    step("ss-ioa-exclusions.update.v2", {
      at: at(1, "11:31:48.092"),
      body: {
        exclusions: [
          {
            id: backup,
            comment: "The tool also verifies",
            cl_regex: String.raw`.*--(snapshot|verify) \d+`,
            host_groups: [groups.finance],
          },
        ],
      },
    }),
    step("ss-ioa-exclusions.create.v2", {
      at: at(12, "14:03:20"),
      by: "analyst",
      ids: [known("b7d9e1f30a2c45648c6e8f0a1b3d5f72"), known("d8f0a2b4c6e84173905b7d9f1e3a5c60")],
      body: {
        exclusions: [
          {
            name: "Patch management",
            description: "Installs updates as a service",
            pattern_id: "41002",
            ifn_regex: String.raw`.*\\Harbour Patch\\patchd\.exe`,
            cl_regex: String.raw`.*patchd\.exe --apply.*`,
            host_groups: ["all"],
          },
          {
            name: "Vulnerability scanner",
            description: "Retired in the last quarter",
            pattern_id: "41002",
            ifn_regex: String.raw`.*\\Old Scanner\\scan\.exe`,
            cl_regex: ".*",
            host_groups: ["all"],
          },
        ],
      },
    }),
  ];
}
