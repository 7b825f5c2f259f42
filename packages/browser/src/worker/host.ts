import { checkChoice, checkOptions, type Settings } from "@security-platform/testing/portable";
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
  worldHostFiles,
  type App,
  type ControlledPlatform,
  type HomeTenant,
  type Template,
  type World,
} from "@security-platform/server/portable";
import type { ClockMode, Started, WorkerOptions } from "./protocol.ts";
import { loadCompressed } from "./compressed-file.ts";
import { openStorage, type Storage } from "../storage/open-storage.ts";
import { openWasm } from "../sqlite-wasm/open-wasm.ts";
import { loadWasmLibrary, type WasmLibrary } from "../sqlite-wasm/wasm-library.ts";

export interface HostedPlatform extends Started {
  readonly platform: ControlledPlatform;
}

const optionNames = ["now", "compat", "limits", "seed", "clock", "storage"];
const clocks = ["still", "running"];
const worlds = { demo: "small", small: "small", mssp: "mssp" } as const;

/** Starts a platform in this worker. Throws a `TypeError` or a `RangeError` for invalid options. */
export async function startInWorker(
  options: WorkerOptions,
  template: Promise<Template>,
): Promise<HostedPlatform> {
  const settings = checkOptions(options, optionNames);
  const { clock = "still", seed, storage: name } = options;
  checkChoice("clock", clock, clocks);
  if (seed !== undefined) checkChoice("seed", seed, Object.keys(worlds));
  const [library, prepared, storage] = await Promise.all([
    loadWasmLibrary(),
    template,
    name === undefined ? undefined : openStorage(name),
  ]);
  try {
    const world = seed === undefined ? undefined : worlds[seed];
    return await start({ settings, clock, world, library, template: prepared, storage });
  } catch (error) {
    throw storage !== undefined && isDamage(error) ? storage.damaged(error) : error;
  }
}

interface Parts {
  readonly settings: Settings;
  readonly clock: ClockMode;
  readonly world: World | undefined;
  readonly library: WasmLibrary;
  readonly template: Template;
  readonly storage: Storage | undefined;
}

async function start({
  settings: { config, now },
  clock: mode,
  world,
  library,
  template: { bytes, ...prepared },
  storage,
}: Parts): Promise<HostedPlatform> {
  const home = storage?.home ?? prepared;
  const clock = new ControlledClock();
  const first = now ?? new Date();
  if (mode === "running") clock.run(first);
  else clock.freeze(first);
  const database = openWasm({ library, restorable: true, template: bytes, stored: storage });
  const store = await openStore({
    database,
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
    hostFiles: await worldHostFiles(world),
    // To the console.
    logger: createLogger("error"),
    addPages: serveDocument,
  });
  const isKept = storage !== undefined && storage.home !== null;
  const tenant = world === undefined || isKept ? home : await seedFor(platform, world);
  if (!isKept) await storage?.keep({ ...tenant, keyText: home.keyText }, database.content());
  await platform.controls.keepInitial();
  platform.start();
  const { cid, clientId, clientSecret } = tenant;
  return { platform, cid, clientId, clientSecret, now: clock.now() };
}

/** SQLite's result codes for a damaged file, and for one that is no database. */
const damage: ReadonlySet<number> = new Set([11, 26]);

function isDamage(error: unknown): boolean {
  const { errcode = 0 } = ((error as Error).cause ?? {}) as { readonly errcode?: number };
  return damage.has(errcode & 0xff);
}

/** The document, which says what does not work in a page, under the path that `secplat serve` has for it. */
async function serveDocument(app: App): Promise<void> {
  app.get("/docs/openapi.json", async (_request, reply) => {
    const document = await loadCompressed(new URL("openapi.json.gz", import.meta.url));
    return reply.type("application/json; charset=utf-8").send(Buffer.from(document.buffer));
  });
}

async function seedFor({ controls }: ControlledPlatform, world: World): Promise<HomeTenant> {
  const { cid } = await controls.seedWorld(world);
  const { client_id, client_secret } = await controls.worldClient(cid);
  return { cid, clientId: client_id, clientSecret: client_secret };
}
