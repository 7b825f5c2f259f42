import type { KnownAdvisory } from "./record.ts";

export const goAdvisories: readonly KnownAdvisory[] = [
  {
    id: "GHSA-qppj-fm5r-hxr3",
    aliases: ["CVE-2023-44487"],
    published: "2023-10-10T21:28:24Z",
    modified: "2023-10-16T21:44:16Z",
    summary: "Rapid Reset: a client opens and cancels HTTP/2 streams faster than the server copes",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L"],
    affected: [
      ["Go", "golang.org/x/net", ["0", "0.17.0"]],
      ["Go", "google.golang.org/grpc", ["1.58.0", "1.58.3"], ["1.57.0", "1.57.1"], ["0", "1.56.3"]],
    ],
  },
  {
    id: "GHSA-4374-p667-p6c8",
    aliases: ["CVE-2023-39325", "GO-2023-2102"],
    published: "2023-10-11T20:35:43Z",
    modified: "2023-12-07T23:00:43Z",
    summary: "Cancelled HTTP/2 requests run on beyond the limit of streams in golang.org/x/net",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"],
    affected: [["Go", "golang.org/x/net", ["0", "0.17.0"]]],
  },
  {
    id: "GHSA-45x7-px36-x8w8",
    aliases: ["CVE-2023-48795"],
    published: "2023-12-18T19:22:09Z",
    modified: "2024-05-02T13:18:41Z",
    summary: "Terrapin: an attacker in the middle removes the first messages of an SSH connection",
    cvss: ["CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:H/A:N"],
    affected: [
      ["Go", "golang.org/x/crypto", ["0", "0.17.0"]],
      ["PyPI", "paramiko", ["2.5.0", "3.4.0"]],
      ["crates.io", "russh", ["0", "0.40.2"]],
    ],
  },
  {
    id: "GHSA-69ch-w2m2-3vjp",
    aliases: ["CVE-2022-32149", "GO-2022-1059"],
    published: "2022-10-14T19:00:40Z",
    modified: "2022-10-28T20:11:26Z",
    summary: "A crafted Accept-Language header keeps the parser of golang.org/x/text busy",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"],
    affected: [["Go", "golang.org/x/text", ["0", "0.3.8"]]],
  },
];
