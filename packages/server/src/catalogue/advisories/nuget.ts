import type { KnownAdvisory } from "./record.ts";

export const nugetAdvisories: readonly KnownAdvisory[] = [
  {
    id: "GHSA-5crp-9r3c-p9vr",
    aliases: ["CVE-2024-21907"],
    published: "2022-06-22T15:08:47Z",
    modified: "2022-07-12T03:46:43Z",
    summary: "Deeply nested JSON stops applications with Newtonsoft.Json",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"],
    affected: [["NuGet", "Newtonsoft.Json", ["0", "13.0.1"]]],
  },
  {
    id: "GHSA-8g4q-xg66-9fp4",
    aliases: ["CVE-2024-43485"],
    published: "2024-10-08T20:25:19Z",
    modified: "2024-10-09T01:07:53Z",
    summary: "Crafted JSON keeps System.Text.Json busy where a model collects unknown members",
    cvss: [
      "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H",
      "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:L/VA:H/SC:N/SI:N/SA:N",
    ],
    uncertain: "The vectors of CVSS 3 and 4 disagree on confidentiality and integrity.",
    affected: [["NuGet", "System.Text.Json", ["8.0.0", "8.0.5"], ["6.0.0", "6.0.10"]]],
  },
  {
    id: "GHSA-hh2w-p6rv-4g7w",
    aliases: ["CVE-2024-30105"],
    published: "2024-07-09T21:14:10Z",
    modified: "2024-07-10T16:09:24Z",
    summary: "Reading untrusted JSON as a stream keeps System.Text.Json busy",
    cvss: [
      "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H",
      "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N",
    ],
    affected: [["NuGet", "System.Text.Json", ["7.0.0", "8.0.4"]]],
  },
];
