/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ociLayout, type TarFile } from "../../../testing/image.ts";
import { LocalBlobs } from "../src/blobs/local-blobs.ts";
import { refreshRegistries } from "../src/domain/container/registries/refresh.ts";
import { HttpOutgoing } from "../src/outgoing/http-outgoing.ts";
import { startTestApi } from "./support/api.ts";
import { endLeases } from "./support/end-leases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { exported } from "./support/exports.ts";
import { workerOf } from "./support/jobs.ts";
import { programArguments } from "./support/programs.ts";
import { createRegistry, ociRegistry, registryServer } from "./support/registries.ts";
import { temporaryFolder } from "./support/server-process.ts";

const [images, layers] = [3, 4];
/** Layers and configurations. */
const parts = images * (layers + 1);
/** Numbers of the requests for parts at which the process is killed. */
const kills = [3, 11];

const npm = (name: string): TarFile => ({
  path: `app/node_modules/${name}/package.json`,
  content: JSON.stringify({ name, version: "1.0.0" }),
});

const layout = (image: number) =>
  ociLayout({ layers: Array.from({ length: layers }, (_, layer) => [npm(`p${image}-${layer}`)]) });

withPostgresAtNight((engine) => {
  test("a killed process leaves complete layers, and another one pulls the rest once", async () => {
    const folder = join(temporaryFolder(), "blobs");
    const databaseUrl = await engine.url();
    const { config } = registryServer;
    const api = await startTestApi({ databaseUrl, blobs: new LocalBlobs(folder), config });
    const content = Object.fromEntries(
      Array.from({ length: images }, (_, image) => [`shop/${image}`, { "1": layout(image) }]),
    );
    const real = await ociRegistry({ content });
    await createRegistry(api, { type: "docker", url: real.url });
    const outgoing = new HttpOutgoing(config.outgoing);
    await workerOf(api, [refreshRegistries(api.store, outgoing)]).drain();

    const words = await programArguments("assess-until-killed", databaseUrl, folder);
    let running: ChildProcess | undefined;
    let killed = 0;
    const pulled: string[] = [];
    real.onRequest = () => {
      const request = real.requests.at(-1) ?? "";
      if (!request.includes("/blobs/")) return undefined;
      pulled.push(request);
      if (pulled.length !== kills[killed] || running === undefined) return undefined;
      killed += 1;
      const ended = once(running, "close");
      running.kill("SIGKILL");
      return ended;
    };
    const work = async (): Promise<void> => {
      const child = spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"] });
      running = child;
      onTestFinished(() => void child.kill("SIGKILL"));
      const [code, signal] = (await once(child, "close")) as [number | null, string | null];
      if (signal === "SIGKILL") {
        await endLeases(api.store, databaseUrl, child.pid);
        return work();
      }
      expect(code).toBe(0);
    };
    await work();

    expect(killed).toBe(kills.length);
    expect(new Set(pulled).size).toBe(parts);
    // Only the part that a kill interrupted is pulled again.
    expect(pulled).toHaveLength(parts + kills.length);
    const text = await exported(api, { resource: "images.images-assessment", format: "json" });
    const scanned = JSON.parse(text) as readonly { repository: string; package_count: number }[];
    expect(
      scanned.map(({ repository, package_count }) => `${repository} ${package_count}`).toSorted(),
    ).toEqual(Object.keys(content).map((name) => `${name} ${layers}`));
    expect(readdirSync(join(folder, "work"))).toEqual([]);
    const jobs = await api.store.jobs.list({ limit: 10, kind: "images.assess" });
    expect(jobs.map(({ state }) => state)).toEqual(
      Array.from({ length: images }, () => "succeeded"),
    );
  });
});
