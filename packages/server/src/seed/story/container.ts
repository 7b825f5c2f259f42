import type { Cast } from "./cast.ts";
import { step, type Step } from "./step.ts";

/** Two registries, and an export of severe vulnerabilities. */
export const containerSteps = ({ known, at }: Cast): readonly Step[] => [
  step("CreateRegistryEntities", {
    at: at(1, "08:30:00"),
    ids: [
      known("4e8b2d6f-1a3c-4f57-9b80-c6d2e4f8a013"),
      known("6d2f8b40-5e9a-4c17-a3d8-71f0b6c4e295"),
    ],
    body: {
      type: "harbor",
      url: "https://registry.example.com",
      user_defined_alias: "Shop images",
      credential: { details: { username: "scanner", password: "hb_9sQ2vLx7KdR4" } },
    },
  }),
  step("CreateRegistryEntities", {
    at: at(2, "15:45:00"),
    ids: [
      known("b0d2f4a6-8c1e-4357-9a6b-0f1e2d3c4b5a"),
      known("d5e7f901-2b3c-4d4e-8f5a-6b7c8d9e0f1a"),
    ],
    body: {
      type: "dockerhub",
      url: "https://registry-1.docker.example",
      user_defined_alias: "Base images",
      credential: { details: { username: "harbour-base", password: "dckr_pat_7Kq2" } },
    },
  }),
  step("LaunchExportJob", {
    at: at(1, "20:14:58.200"),
    ids: [known("a37d5e91-8c4b-4206-b1fe-93d7c5a0e284")],
    body: {
      resource: "images.vulnerabilities",
      format: "csv",
      fql: "severity_number:>=70",
      sort: "severity_number.desc,cve_id",
      expand_vulnerabilities: true,
    },
  }),
];
