import { inOrder, type Indicator } from "../../domain/ioc/indicators.ts";
import { loaderHash } from "../story-host-files.ts";
import type { Cast } from "./cast.ts";
import { step, type Step } from "./step.ts";

/** An indicator of the parent tenant. */
export function inheritedIndicator({ known, at }: Cast): Indicator {
  const created = new Date(at(50, "14:03:55.002")).toISOString();
  const author = known("d1a2b3c4a9c84d7e93f2e1d0c4b5a697");
  return inOrder({
    id: known("b745ba259eb6687900561a7ffc5829595a045ef4b33c4b15b5aaa1bbaa58d8ae"),
    type: "md5",
    value: "4a527f83a3a4ca7e1d70adb26a35b72e",
    action: "detect",
    mobile_action: "no_action",
    severity: "medium",
    description: "",
    source: "Group security",
    platforms: ["windows"],
    tags: ["group-wide"],
    metadata: { filename: "updater.exe", av_hits: 3, signed: false },
    applied_globally: true,
    host_groups: [],
    expiration: "2035-01-01T00:00:00.000Z",
    expired: false,
    deleted: false,
    from_parent: false,
    created_on: created,
    created_by: author,
    modified_on: created,
    modified_by: author,
  });
}

/** What the tenant blocks after the incident. */
export const indicatorSteps = ({ known, at, groups }: Cast): readonly Step[] => [
  step("indicator.create.v1", {
    at: at(1, "08:15:30.123"),
    ids: [
      known("4e17d2114e6a8db92b0cca34e332c18bc978aac70353cb12b87b9f0dad4b6d9b"),
      known("a1485493de0cb3b27b661458a73bb4ce8b11e6549e63e267d842a4276ada0ee8"),
      known("745f4ba3c701c409d267d28ad6c9e30a3a56539175d77446ccbab81bef0c54d0"),
    ],
    body: {
      comment: "First findings of incident 2026-014",
      indicators: [
        {
          type: "sha256",
          value: loaderHash,
          action: "prevent",
          severity: "critical",
          description: "Loader of the Emberfall ransomware",
          source: "Incident 2026-014",
          platforms: ["windows"],
          tags: ["emberfall", "ransomware"],
          host_groups: [groups.finance],
          metadata: { filename: "invoice-viewer.exe" },
        },
        {
          type: "domain",
          value: "cdn-sync.example.net",
          action: "detect",
          severity: "high",
          description: "Command and control of Emberfall",
          source: "Incident 2026-014",
          platforms: ["windows", "mac", "linux"],
          tags: ["emberfall", "c2"],
          applied_globally: true,
          expiration: "2035-09-02T00:00:00.000Z",
        },
        {
          type: "ipv4",
          value: "192.0.2.77",
          action: "detect",
          severity: "high",
          source: "Incident 2026-014",
          platforms: ["windows", "linux"],
          tags: ["emberfall", "c2"],
          applied_globally: true,
          expiration: "2035-06-02T00:00:00.000Z",
        },
      ],
    },
  }),
];
