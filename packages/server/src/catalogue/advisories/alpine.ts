import type { KnownAdvisory } from "./record.ts";

/** Fixed versions are those of the `secfixes` in the build files of the packages. */
export const alpineAdvisories: readonly KnownAdvisory[] = [
  {
    id: "ALPINE-CVE-2024-3094",
    aliases: ["CVE-2024-3094"],
    published: "2024-03-29T17:15:21Z",
    summary: "Releases of xz contain a back door into SSH servers",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H"],
    affected: [["Alpine:v3.20", "xz", ["5.6.0-r0", "5.6.1-r2"]]],
  },
  {
    id: "ALPINE-CVE-2023-38545",
    aliases: ["CVE-2023-38545"],
    published: "2023-10-18T04:15:11Z",
    summary: "A long host name overflows a buffer of curl while it talks to a SOCKS5 proxy",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"],
    affected: [
      ["Alpine:v3.18", "curl", ["0", "8.4.0-r0"]],
      ["Alpine:v3.17", "curl", ["0", "8.4.0-r0"]],
    ],
  },
  {
    id: "ALPINE-CVE-2023-44487",
    aliases: ["CVE-2023-44487"],
    published: "2023-10-10T14:15:10Z",
    summary: "Rapid Reset: a client opens and cancels HTTP/2 streams faster than nghttp2 copes",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"],
    affected: [["Alpine:v3.18", "nghttp2", ["0", "1.57.0-r0"]]],
  },
  {
    id: "ALPINE-CVE-2022-3602",
    aliases: ["CVE-2022-3602"],
    published: "2022-11-01T18:15:10Z",
    summary: "An address in a certificate overflows a buffer of OpenSSL 3",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"],
    affected: [["Alpine:v3.17", "openssl", ["3.0.0-r0", "3.0.7-r0"]]],
  },
  {
    id: "ALPINE-CVE-2022-37434",
    aliases: ["CVE-2022-37434"],
    published: "2022-08-05T07:15:07Z",
    summary: "A long gzip header overflows a buffer of zlib",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"],
    affected: [["Alpine:v3.16", "zlib", ["0", "1.2.12-r2"]]],
  },
  {
    id: "ALPINE-CVE-2022-1271",
    aliases: ["CVE-2022-1271"],
    published: "2022-08-31T16:15:09Z",
    summary: "xzgrep writes to files that a crafted file name chooses",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H"],
    affected: [["Alpine:v3.16", "xz", ["0", "5.2.5-r1"]]],
  },
];
