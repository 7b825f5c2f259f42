import { checkOptions } from "@security-platform/testing/portable";
import {
  ControlledClock,
  createControlledPlatform,
  createLogger,
  FixedKeys,
  MemoryBlobs,
  openStore,
  readSecretKeys,
  resources,
  systemClock,
  type App,
  type ControlledPlatform,
  type HomeTenant,
  type Template,
} from "@security-platform/server/portable";
import type { Started, WorkerOptions } from "../protocol.ts";
import { loadCompressed } from "./compressed-file.ts";
import { openStorage } from "../storage/open-storage.ts";
import { openWasm } from "../sqlite-wasm/open-wasm.ts";
import { loadWasmLibrary } from "../sqlite-wasm/wasm-library.ts";

export interface HostedPlatform extends Started {
  readonly platform: ControlledPlatform;
}

const optionNames = ["now", "compat", "limits", "seed", "clock", "storage"];
const clocks: readonly unknown[] = ["still", "running", undefined];

/** Starts a platform in this worker. Throws a `TypeError` or a `RangeError` for invalid options. */
export async function startInWorker(
  options: WorkerOptions,
  template: Promise<Template>,
): Promise<HostedPlatform> {
  const { config, now } = checkOptions(options, optionNames);
  const mode = options.clock;
  if (!clocks.includes(mode)) {
    throw new RangeError(`clock: expected still or running, got ${String(mode)}`);
  }
  const [library, { bytes, ...prepared }, storage] = await Promise.all([
    loadWasmLibrary(),
    template,
    options.storage === undefined ? undefined : openStorage(options.storage),
  ]);
  const home = storage?.home ?? prepared;
  const clock = new ControlledClock();
  const start = now ?? new Date();
  if (mode === "running") clock.run(start);
  else clock.freeze(start);
  const store = await openStore({
    database: openWasm({
      library,
      restorable: true,
      template: bytes,
      stored: storage,
    }),
    clock,
    resources,
    keys: new FixedKeys(readSecretKeys(home.keyText)),
  });
  const platform = await createControlledPlatform({
    store,
    clock,
    config,
    overHttp: true,
    blobs: new MemoryBlobs(systemClock, { kept: storage?.blobs }),
    // To the console.
    logger: createLogger("error"),
    addPages: serveDocument,
  });
  const { seed } = options;
  const isKept = storage !== undefined && storage.home !== null;
  const tenant = seed === undefined || isKept ? home : await seedFor(platform, seed);
  if (!isKept) await storage?.keep({ ...tenant, keyText: home.keyText });
  await platform.controls.keepInitial();
  platform.start();
  const { cid, clientId, clientSecret } = tenant;
  return { platform, cid, clientId, clientSecret, now: clock.now() };
}

/** The document, which says what does not work in a page, under the path that `secplat serve` has for it. */
async function serveDocument(app: App): Promise<void> {
  app.get("/docs/openapi.json", async (_request, reply) => {
    const document = await loadCompressed(new URL("openapi.json.gz", import.meta.url));
    return reply.type("application/json; charset=utf-8").send(Buffer.from(document.buffer));
  });
}

async function seedFor(
  { controls }: ControlledPlatform,
  world: NonNullable<WorkerOptions["seed"]>,
): Promise<HomeTenant> {
  const { cid } = await controls.seedWorld(world);
  const { client_id, client_secret } = await controls.createClient(cid);
  return { cid, clientId: client_id, clientSecret: client_secret };
}
