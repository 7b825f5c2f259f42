import type { KnownAdvisory } from "./record.ts";

export const cratesAdvisories: readonly KnownAdvisory[] = [
  {
    id: "GHSA-wcg3-cvx6-7396",
    aliases: ["CVE-2020-26235", "RUSTSEC-2020-0071"],
    published: "2021-08-25T20:56:46Z",
    modified: "2022-12-06T00:16:25Z",
    summary: "Reading the local time while another thread changes the environment crashes time",
    cvss: ["CVSS:3.1/AV:L/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"],
    affected: [["crates.io", "time", ["0.1.0", "0.2.0"], ["0.2.7", "0.2.23"]]],
  },
  {
    id: "GHSA-xcf7-rvmh-g6q4",
    aliases: ["RUSTSEC-2023-0044"],
    published: "2023-06-21T22:07:52Z",
    summary: "An empty host name makes the openssl crate read beyond a buffer",
    severity: "MODERATE",
    affected: [["crates.io", "openssl", ["0.10.0", "0.10.55"]]],
  },
  {
    id: "GHSA-39vw-qp34-rmwf",
    aliases: ["RUSTSEC-2018-0005"],
    published: "2021-08-25T21:00:18Z",
    summary: "A YAML alias that refers to itself stops programs with serde_yaml",
    severity: "MODERATE",
    affected: [["crates.io", "serde_yaml", ["0.5.1", "0.8.4"]]],
  },
  {
    id: "GHSA-m5pq-gvj9-9vr8",
    aliases: ["CVE-2022-24713"],
    published: "2022-03-08T20:00:36Z",
    modified: "2022-03-11T19:58:44Z",
    summary: "A crafted regular expression takes very long to compile in the regex crate",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"],
    affected: [["crates.io", "regex", ["0", "1.5.5"]]],
  },
  {
    id: "GHSA-fg7r-2g4j-5cgr",
    aliases: ["CVE-2021-45710", "RUSTSEC-2021-0124"],
    published: "2022-01-06T22:04:37Z",
    modified: "2022-01-07T18:26:27Z",
    summary: "A closed oneshot channel of Tokio can corrupt memory",
    cvss: ["CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H"],
    affected: [["crates.io", "tokio", ["1.9.0", "1.13.1"], ["0", "1.8.4"]]],
  },
];
