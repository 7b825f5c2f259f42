import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { vulnerabilityRows } from "../../../packages/server/src/domain/container/scans/rows.ts";
import type { Scenario, BenchRun } from "../scenario.ts";
import { processorSeconds, printed, residentMegabytes, startOn, type Result } from "../measure.ts";
import { openTenant, start, type Filled } from "../platform.ts";

export const containerScenarios: readonly Scenario[] = [
  { name: "export image vulnerabilities", run: exportRows },
];

const rowCount = 1_000_000;
const rowsAtOnce = 10_000;
/** Polling interval for an export; each poll takes processor time from it. */
const lookMilliseconds = 250;
const exportsPath = "/container-security/entities/exports/v1";
const filesPath = "/container-security/entities/exports/files/v1";

const columns = [
  "cve_id",
  "severity",
  "cvss_score",
  "package_name",
  "package_version",
  "fixed_version",
  "published_at",
  "image_digest",
  "registry",
  "repository",
  "tag",
];
/** A heap limit that a server would exceed if it kept the rows in memory. */
const smallHeap = ["--max-old-space-size=96", "--max-semi-space-size=2"];

/**
 * An export through the running server, against a program that does nothing but read the same rows
 * with one cursor and write the same columns to a file. Both in processor seconds, as the disk is
 * shared.
 */
async function exportRows({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const path = join(folder, "exports.sqlite");
  const filled = await fillRows(`sqlite:${path}`, Math.round(rowCount * scale));
  const copied = await copyRows(path, filled.cid, columns);
  const texts = await copyRows(path, filled.cid, []);
  const plain = await exportOnce(filled, {}, []);
  const sorted = await exportOnce(filled, { sort: "severity_number.desc,tag" }, smallHeap);
  const figure = `${copied.rows} rows as CSV`;
  const seconds = `${copied.seconds.toFixed(1)} to ${plain.seconds.toFixed(1)} processor seconds`;
  return [
    {
      name: `export of ${figure}, a bare copy with a cursor / the export`,
      figure: `${seconds}; a copy of the records' texts takes ${texts.seconds.toFixed(1)}`,
      ratio: copied.seconds / plain.seconds,
      target: 0.5,
      targetIs: "at least",
    },
    {
      name: `growth while exporting ${figure}, MB`,
      figure: "resident",
      ratio: plain.growth,
      target: 100,
      targetIs: "at most",
    },
    {
      name: `growth while exporting ${figure}, sorted, in a heap of 96 MB, MB`,
      figure: `resident; ${sorted.seconds.toFixed(1)} processor seconds`,
      ratio: sorted.growth,
      target: 100,
      targetIs: "at most",
    },
  ];
}

async function fillRows(databaseUrl: string, count: number): Promise<Filled> {
  const {
    store,
    cid,
    load: _load,
    ...filled
  } = await openTenant(databaseUrl, ["container-image:read"]);
  const now = new Date();
  for (let from = 0; from < count; from += rowsAtOnce) {
    const length = Math.min(rowsAtOnce, count - from);
    const rows = Array.from({ length }, (_, index) => row(from + index));
    await store.write(cid, async (transaction) => {
      await transaction.records(vulnerabilityRows).insert(rows, now);
    });
  }
  await store.close();
  return { cid, ...filled };
}

/** A hundred vulnerabilities in each image. */
function row(number: number) {
  const image = Math.floor(number / 100);
  const scan = `00000000-0000-4000-8000-${String(image).padStart(12, "0")}`;
  return {
    id: `${scan}/${number % 100}`,
    scan,
    cve_id: `CVE-2024-${10_000 + (number % 30_000)}`,
    severity: ["low", "medium", "high", "critical"][number % 4] ?? "none",
    cvss_score: number % 5 === 0 ? null : (number % 100) / 10,
    package_name: `package-${number % 3_000}`,
    package_version: `1.${number % 40}.0-${number % 7}`,
    fixed_version: number % 3 === 0 ? null : `1.${(number % 40) + 1}.0`,
    published_at: "2024-05-01T00:00:00Z",
    image_digest: `sha256:${String(image).padStart(64, "0")}`,
    registry: "registry.example.com",
    repository: `shop/service-${image % 500}`,
    tag: `1.${image}`,
  };
}

async function copyRows(
  path: string,
  cid: string,
  copied: readonly string[],
): Promise<{ readonly rows: number; readonly seconds: number }> {
  const program = fileURLToPath(new URL("../copy-rows.ts", import.meta.url));
  const target = `${path}.copy`;
  const child = startOn(0, ["--no-warnings", program, path, cid, target, copied.join(",")]);
  const [, rows = "", seconds = ""] = await printed(child, /(\d+) rows in ([\d.]+) s/);
  rmSync(target);
  return { rows: Number(rows), seconds: Number(seconds) };
}

interface Exported {
  readonly seconds: number;
  /** Increase of resident memory, in megabytes. */
  readonly growth: number;
}

async function exportOnce(
  filled: Filled,
  more: object,
  flags: readonly string[],
): Promise<Exported> {
  const platform = await start(filled, { flags });
  const { pid, url, headers } = platform;
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const idle = residentMegabytes(pid);
  const began = processorSeconds(pid);
  let most = idle;
  const body = {
    resource: "images.vulnerabilities",
    format: "csv",
    expand_vulnerabilities: true,
    ...more,
  };
  const launched = await fetch(`${url}${exportsPath}`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const [id = ""] = (await launched.json()) as readonly string[];
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
    most = Math.max(most, residentMegabytes(pid));
    const read = await fetch(`${url}${exportsPath}?ids=${id}`, { headers });
    const [job] = (await read.json()) as readonly { readonly status: string }[];
    if (job?.status === "DONE") break;
    if (job?.status !== "IN_PROGRESS" && job?.status !== "READY") {
      throw new Error(`the export is ${job?.status}`);
    }
  }
  const seconds = processorSeconds(pid) - began;
  const file = await fetch(`${url}${filesPath}?id=${id}`, { headers, method: "GET" });
  if (file.status !== 200) throw new Error(`the file is not there: ${file.status}`);
  await file.body?.cancel();
  await platform.stop();
  return { seconds, growth: most - idle };
}
