import type { KnownAdvisory } from "./record.ts";

const log4j = "org.apache.logging.log4j:log4j-core";
const spring = [
  ["0", "5.2.20.RELEASE"],
  ["5.3.0", "5.3.18"],
] as const;
const springBoot = [
  ["0", "2.5.12"],
  ["2.6.0", "2.6.6"],
] as const;

export const mavenAdvisories: readonly KnownAdvisory[] = [
  {
    id: "GHSA-jfh8-c2jp-5v3q",
    aliases: ["CVE-2021-44228"],
    published: "2021-12-10T00:40:56Z",
    modified: "2024-07-25T20:12:08Z",
    summary: "Log4Shell: a logged text that names a JNDI address loads and runs code from it",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H"],
    affected: [["Maven", log4j, ["2.13.0", "2.15.0"], ["2.4", "2.12.2"], ["2.0-beta9", "2.3.1"]]],
  },
  {
    id: "GHSA-7rjr-3q55-vv33",
    aliases: ["CVE-2021-45046"],
    published: "2021-12-14T18:01:28Z",
    modified: "2024-06-27T21:36:30Z",
    summary: "The first fix of Log4Shell still looks up JNDI addresses from the thread context",
    cvss: ["CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:H/I:H/A:H"],
    uncertain: "The published range starts at 0, the CVE at 2.0-beta9, which is used here.",
    affected: [["Maven", log4j, ["2.13.0", "2.16.0"], ["2.0-beta9", "2.12.2"]]],
  },
  {
    id: "GHSA-p6xc-xr62-6r2g",
    aliases: ["CVE-2021-45105"],
    published: "2021-12-18T18:00:07Z",
    modified: "2022-08-11T21:38:34Z",
    summary: "A Log4j lookup that refers to itself recurses until the application stops",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"],
    affected: [["Maven", log4j, ["2.13.0", "2.17.0"], ["2.4.0", "2.12.3"], ["0", "2.3.1"]]],
  },
  {
    id: "GHSA-36p3-wjmg-h94x",
    aliases: ["CVE-2022-22965"],
    published: "2022-03-31T18:30:50Z",
    modified: "2022-06-01T22:15:49Z",
    summary: "Spring4Shell: data binding reaches the class loader and so runs code",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"],
    affected: [
      ["Maven", "org.springframework:spring-beans", ...spring],
      ["Maven", "org.springframework:spring-webmvc", ...spring],
      ["Maven", "org.springframework:spring-webflux", ...spring],
      ["Maven", "org.springframework.boot:spring-boot-starter-web", ...springBoot],
      ["Maven", "org.springframework.boot:spring-boot-starter-webflux", ...springBoot],
    ],
  },
  {
    id: "GHSA-599f-7c49-w659",
    aliases: ["CVE-2022-42889"],
    published: "2022-10-13T19:00:17Z",
    modified: "2022-12-19T01:16:08Z",
    summary: "Text4Shell: string interpolation of Commons Text evaluates scripts",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"],
    affected: [["Maven", "org.apache.commons:commons-text", ["1.5", "1.10.0"]]],
  },
  {
    id: "GHSA-j77q-2qqg-6989",
    aliases: ["CVE-2017-5638"],
    published: "2018-10-18T19:24:26Z",
    modified: "2024-07-25T20:18:22Z",
    summary: "Struts evaluates the Content-Type header of an upload as an expression",
    cvss: ["CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H"],
    uncertain: "Apache's bulletin S2-045 names 2.3.5 as the first affected version.",
    affected: [
      ["Maven", "org.apache.struts:struts2-core", ["2.3.0", "2.3.32"], ["2.5.0", "2.5.10.1"]],
    ],
  },
  {
    id: "GHSA-mjmj-j48q-9wg2",
    aliases: ["CVE-2022-1471"],
    published: "2022-12-12T21:19:47Z",
    modified: "2024-06-24T21:22:57Z",
    summary: "SnakeYAML creates objects of any class that a document names",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:L"],
    affected: [["Maven", "org.yaml:snakeyaml", ["0", "2.0"]]],
  },
  {
    id: "GHSA-57j2-w4cx-62h2",
    aliases: ["CVE-2020-36518"],
    published: "2022-03-12T00:00:36Z",
    modified: "2024-03-15T00:24:56Z",
    summary: "Deeply nested JSON overflows the stack of jackson-databind",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"],
    affected: [
      [
        "Maven",
        "com.fasterxml.jackson.core:jackson-databind",
        ["2.13.0", "2.13.2.1"],
        ["0", "2.12.6.1"],
      ],
    ],
  },
  {
    id: "GHSA-h376-j262-vhq6",
    aliases: ["CVE-2021-42392"],
    published: "2022-01-06T23:55:09Z",
    modified: "2022-01-20T15:36:58Z",
    summary: "The console of the H2 database loads classes from a JNDI address",
    cvss: ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"],
    affected: [["Maven", "com.h2database:h2", ["1.1.100", "2.0.206"]]],
  },
];
