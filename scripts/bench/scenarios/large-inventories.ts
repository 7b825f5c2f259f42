import { join } from "node:path";
import { operations, type components } from "@security-platform/spec";
import type { BenchRun, Scenario } from "../scenario.ts";
import { longestTurn, probed } from "../loop-probe-client.ts";
import { exchange, firstBodies, goal } from "./loop-turns.ts";
import type { Result } from "../measure.ts";
import { openTenant, start, type Platform } from "../platform.ts";

type Inventory = components["schemas"]["ScanInventory"];
type Contents = Inventory["inventory"];

export const inventoryScenarios: readonly Scenario[] = [{ name: "inventories", run: inventories }];

const path = "/image-assessment/entities/image-inventory/v1";
const reportPath = "/image-assessment/entities/reports/v2";
const formats = ["json", "cyclonedx-json", "sarif"] as const;

/** Sends the largest inventories that the document allows, and some that it just does not. */
async function inventories({ folder, scale }: BenchRun): Promise<readonly Result[]> {
  const {
    store,
    load: _load,
    ...filled
  } = await openTenant(`sqlite:${join(folder, "inventories.sqlite")}`, [
    "container-cli:read",
    "container-cli:write",
    "container-image:read",
  ]);
  await store.close();
  const probe = probed(folder);
  const platform = await start(filled, {
    flags: probe.flags,
    words: ["--overload-delay=0", "--no-jobs"],
  });
  const results: Result[] = [];
  try {
    for (const first of firstBodies) await send(platform, first);
    for (const [name, body] of bodies(scale)) {
      const measured = async (what: string, exchanged: () => Promise<number>): Promise<number> => {
        await longestTurn(probe);
        const status = await exchanged();
        const { processor, elapsed } = await longestTurn(probe);
        results.push({
          name: `longest turn of ${what}: ${name}, ms`,
          figure: `${status}; ${(body.length / 2 ** 20).toFixed(0)} MiB`,
          ratio: processor,
          target: goal,
          targetIs: "at most",
          note: `processor time; ${elapsed.toFixed(0)} ms elapsed`,
        });
        return status;
      };
      const status = await measured("an inventory", () => send(platform, body));
      if (status !== 200) continue;
      for (const format of formats) {
        await measured(`a report as ${format}`, () => readReport(platform, format));
      }
    }
  } finally {
    await platform.stop();
  }
  return results;
}

/** The document's example. */
function exampleInventory(): Inventory {
  const operation = operations().find(({ id }) => id === "PostImageScanInventory");
  const [example] = Object.values(
    operation?.requestBody?.content["application/json"]?.examples ?? {},
  );
  return example?.value as Inventory;
}

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

function* bodies(scale: number): Iterable<readonly [string, string]> {
  const value = exampleInventory();
  const text = (contents: Partial<Contents>): string =>
    JSON.stringify({ ...value, inventory: { ...value.inventory, ...contents } });
  const many = Math.round(100_000 * scale);
  const layer = `sha256:${"5e".repeat(32)}`;
  const files = range(many).map((index) => ({
    Hash: "0f".repeat(32),
    LayerHash: layer,
    LayerIndex: 0,
    Path: `usr/share/doc/package-${index}/changelog.Debian.gz`,
    Permissions: "-rw-r--r--",
    Size: index,
  }));
  const packages = range(many).map((index) => ({
    Product: `package-${index}`,
    MajorVersion: `1.${index}`,
    LayerIndex: 0,
  }));
  const libraries = (from: number) =>
    range(many / 2).map((index) => ({
      Name: `library-${from + index}`,
      Version: `2.${index}`,
      LayerIndex: 0,
    }));
  const filled = (length: number): string => "x".repeat(Math.round(length * scale));
  yield ["files", text({ HashedFiles: files })];
  yield ["files, last one wrong", text({ HashedFiles: [...files.slice(1), { Hash: 1 } as never] })];
  yield [
    "files with long paths",
    text({ HashedFiles: files.map((file) => ({ ...file, Path: `${file.Path}${filled(360)}` })) }),
  ];
  yield [
    "packages and libraries",
    text({
      Packages: packages,
      ApplicationPackages: [
        { type: "npm", libraries: libraries(0) },
        { type: "pypi", libraries: libraries(50_000) },
      ],
    }),
  ];
  yield [
    "packages with long names",
    text({
      Packages: packages.map((each) => ({ ...each, Product: `${each.Product}${filled(490)}` })),
    }),
  ];
  yield [
    "secrets",
    text({
      interesting_strings: range(many / 10).map((index) => ({
        Path: `app/${index}`,
        Strings: range(17).map((line) => ({
          Line: line,
          Name: "key",
          RegexName: "private-key",
          String: "pk_l************",
        })),
      })),
    }),
  ];
  yield [
    "executables",
    text({
      ELFBinaries: range(many).map((index) => ({
        Hash: "0f".repeat(32),
        LayerHash: layer,
        LayerIndex: 0,
        Malicious: true,
        Path: `usr/bin/program-${index}`,
        Permissions: "-rwsrwxrwx",
        Size: index,
        Details: {},
      })) as never,
    }),
  ];
  const whole = text({ HashedFiles: files });
  yield ["malformed at the end", `${whole.slice(0, -1)}]`];
  yield [
    "malformed at the end, long",
    `${text({ HashedFiles: files.map((file) => ({ ...file, Path: `${file.Path}${filled(360)}` })) }).slice(0, -1)}]`,
  ];
  yield [
    "escapes",
    text({ whiteout_files: range(many).map((index) => `${index}\u0001${filled(30)}`) }),
  ];
  yield [
    "bad escapes",
    text({ whiteout_files: range(many).map((index) => `${index}\0${filled(30)}`) }),
  ];
  yield ["one text", text({ whiteout_files: ["x".repeat(9 * 2 ** 20)] })];
  yield ["one text, not Latin", text({ whiteout_files: ["ж".repeat(4.5 * 2 ** 20)] })];
  yield [
    "list of lists",
    `[${range(many * 4)
      .map(() => "[0]")
      .join()}]`,
  ];
  yield [
    "numbers",
    `[${range(many * 9.9)
      .map(() => "1e1")
      .join()}]`,
  ];
  yield [
    "wrong members",
    `{${range(9_000)
      .map((index) => `"m${index}":0`)
      .join()}}`,
  ];
}

/** Reads the newest report of the example's image. Returns the status. */
function readReport({ url, headers }: Platform, format: string): Promise<number> {
  const { ID } = exampleInventory().inventory.ImageInfo;
  const query = new URLSearchParams({ image_id: ID, report_format: format });
  return exchange(`${url}${reportPath}?${query}`, { headers });
}

async function send({ url, headers }: Platform, body: string): Promise<number> {
  const head = await fetch(url + path, { method: "HEAD", headers });
  const ticket = head.headers.get("x-scan-ticket") ?? "";
  return exchange(
    url + path,
    {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", "x-scan-ticket": ticket },
    },
    body,
  );
}
