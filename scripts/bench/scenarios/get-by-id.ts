import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { load } from "../load.ts";
import { printed, startOn, stop, type Result } from "../measure.ts";
import { startMock } from "../mock.ts";
import { fill, start } from "../platform.ts";

const path = "/iocs/entities/indicators/v1";

export const readScenarios: readonly Scenario[] = [{ name: "get one by id", run: getOne }];

async function getOne({ folder, scale, seconds }: BenchRun): Promise<readonly Result[]> {
  const platform = await start(await fill(`sqlite:${join(folder, "get.sqlite")}`, 100_000 * scale));
  const [id] = (await (
    await fetch(`${platform.url}/iocs/queries/indicators/v1?limit=1`, { headers: platform.headers })
  ).json()) as string[];
  const query = `${path}?ids=${id}`;
  const body = await (await fetch(platform.url + query, { headers: platform.headers })).text();

  const target = { pid: platform.pid, url: platform.url + query, headers: platform.headers };
  await load(target.pid, { ...target, seconds: 2 });
  const own = await load(target.pid, { ...target, seconds });
  await platform.stop();

  const bodyFile = join(folder, "body.json");
  writeFileSync(bodyFile, body);
  const bare = startOn(0, [fileURLToPath(new URL("../bare-server.ts", import.meta.url)), bodyFile]);
  const bareUrl = (await printed(bare, /ready (\S+)/))[1] ?? "";
  await load(bare.pid ?? 0, { url: bareUrl + query, seconds: 2 });
  const plain = await load(bare.pid ?? 0, { url: bareUrl + query, seconds });
  await stop(bare);

  const figure = (rate: typeof own): string =>
    `${Math.round(rate.perProcessorSecond)}/s of processor (${Math.round(rate.perSecond)}/s, ${Math.round(rate.busy * 100)}% busy)`;
  const results: Result[] = [
    {
      name: "get one by id / bare Fastify route",
      figure: `${figure(own)} to ${figure(plain)}`,
      ratio: own.perProcessorSecond / plain.perProcessorSecond,
      // What one asynchronous way of reading reaches on every machine; a way of its own for one id reached 0.37.
      target: 0.3,
      targetIs: "at least",
    },
  ];
  const mock = await startMock(folder, "indicator.get.v1", JSON.parse(body));
  if (mock === null) {
    process.stderr.write("Prism could not be installed; its cases are skipped\n");
    return results;
  }
  await load(mock.pid, { url: mock.url + query, headers: platform.headers, seconds: 2 });
  const mocked = await load(mock.pid, {
    url: mock.url + query,
    headers: platform.headers,
    seconds,
  });
  await mock.stop();
  return [
    ...results,
    {
      name: "get one by id / Prism mock",
      figure: `${figure(own)} to ${figure(mocked)}`,
      ratio: own.perProcessorSecond / mocked.perProcessorSecond,
      target: 3,
      targetIs: "at least",
      ...(mocked.failures > 0 ? { note: `${mocked.failures} failed responses` } : {}),
    },
  ];
}
