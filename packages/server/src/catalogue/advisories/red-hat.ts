import type { KnownAdvisory } from "./record.ts";

/** Before RHEL 8 there is no repository BaseOS. */
const rhel = (release: string): string =>
  `Red Hat:enterprise_linux:${release}::${Number(release) < 8 ? "server" : "baseos"}`;

export const redHatAdvisories: readonly KnownAdvisory[] = [
  {
    id: "RHSA-2014:0376",
    aliases: ["CVE-2014-0160"],
    published: "2014-04-08T00:00:00Z",
    summary: "Heartbleed: OpenSSL sends the memory of the process to its peer",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N"],
    affected: [[rhel("6"), "openssl", ["0", "0:1.0.1e-16.el6_5.7"]]],
  },
  {
    id: "RHSA-2014:1306",
    aliases: ["CVE-2014-7169"],
    published: "2014-09-26T00:00:00Z",
    summary: "The first fix of Shellshock still lets a variable of Bash run code",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"],
    affected: [[rhel("6"), "bash", ["0", "0:4.1.2-15.el6_5.2"]]],
  },
  {
    id: "RHSA-2021:0218",
    aliases: ["CVE-2021-3156"],
    published: "2021-01-26T00:00:00Z",
    summary: "Baron Samedit: any local user becomes root through sudo",
    cvss: ["CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H"],
    affected: [[rhel("8"), "sudo", ["0", "0:1.8.29-6.el8_3.1"]]],
  },
  {
    id: "RHSA-2022:0267",
    aliases: ["CVE-2021-4034"],
    published: "2022-01-25T00:00:00Z",
    summary: "PwnKit: any local user becomes root through pkexec",
    cvss: ["CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H"],
    affected: [[rhel("8"), "polkit", ["0", "0:0.115-13.el8_5.1"]]],
  },
  {
    id: "RHSA-2023:5455",
    aliases: ["CVE-2023-4911"],
    published: "2023-10-05T00:00:00Z",
    summary: "Looney Tunables: a variable overflows a buffer of the loader of glibc",
    cvss: ["CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H"],
    affected: [[rhel("8"), "glibc", ["0", "0:2.28-225.el8_8.6"]]],
  },
  {
    id: "RHSA-2023:5453",
    aliases: ["CVE-2023-4911"],
    published: "2023-10-05T00:00:00Z",
    summary: "Looney Tunables: a variable overflows a buffer of the loader of glibc",
    cvss: ["CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H"],
    affected: [[rhel("9"), "glibc", ["0", "0:2.34-60.el9_2.7"]]],
  },
  {
    id: "RHSA-2024:4312",
    aliases: ["CVE-2024-6387"],
    published: "2024-07-03T00:00:00Z",
    summary: "regreSSHion: a race in the signal handler of the OpenSSH server runs code",
    cvss: ["CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H"],
    affected: [[rhel("9"), "openssh", ["0", "0:8.7p1-38.el9_4.1"]]],
  },
];
