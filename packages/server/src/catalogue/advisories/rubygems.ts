import type { KnownAdvisory } from "./record.ts";

export const rubygemsAdvisories: readonly KnownAdvisory[] = [
  {
    id: "GHSA-86g5-2wh3-gc9j",
    aliases: ["CVE-2019-5418"],
    published: "2019-03-13T17:26:59Z",
    modified: "2023-08-08T16:43:56Z",
    summary: "A crafted Accept header makes Rails show any file of the server",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N"],
    affected: [
      [
        "RubyGems",
        "actionview",
        ["5.2.0", "5.2.2.1"],
        ["5.1.0", "5.1.6.2"],
        ["5.0.0", "5.0.7.2"],
        ["4.0.0", "4.2.11.1"],
      ],
    ],
  },
  {
    id: "GHSA-crjr-9rc5-ghw8",
    aliases: ["CVE-2022-24836"],
    published: "2022-04-11T21:18:06Z",
    modified: "2022-05-26T19:44:18Z",
    summary: "Detecting the encoding of crafted HTML keeps Nokogiri busy",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"],
    affected: [["RubyGems", "nokogiri", ["0", "1.13.4"]]],
  },
  {
    id: "GHSA-wq4h-7r42-5hrr",
    aliases: ["CVE-2022-30123"],
    published: "2022-05-27T16:36:51Z",
    summary: "Requests write escape sequences to the terminal through the loggers of Rack",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H"],
    affected: [["RubyGems", "rack", ["2.2", "2.2.3.1"], ["2.1", "2.1.4.1"], ["0", "2.0.9.1"]]],
  },
];
