import { checkOptions } from "@security-platform/testing/portable";
import {
  ControlledClock,
  createControlledPlatform,
  createLogger,
  FixedKeys,
  openStore,
  readSecretKeys,
  resources,
  type ControlledPlatform,
  type HomeTenant,
  type Template,
} from "@security-platform/server/portable";
import type { Started, WorkerOptions } from "../protocol.ts";
import { openWasm } from "../sqlite-wasm/open-wasm.ts";
import { loadWasmLibrary } from "../sqlite-wasm/wasm-library.ts";

export interface HostedPlatform extends Started {
  readonly platform: ControlledPlatform;
}

const known = ["now", "compat", "limits", "seed", "clock"];
const clocks: readonly unknown[] = ["still", "running", undefined];

/** Starts a platform in this worker. Throws a `TypeError` or a `RangeError` for invalid options. */
export async function startInWorker(
  options: WorkerOptions,
  template: Promise<Template>,
): Promise<HostedPlatform> {
  const { config, now } = checkOptions(options, known);
  const mode = options.clock;
  if (!clocks.includes(mode)) {
    throw new RangeError(`clock: expected still or running, got ${String(mode)}`);
  }
  const [library, home] = await Promise.all([loadWasmLibrary(), template]);
  const clock = new ControlledClock();
  const start = now ?? new Date();
  if (mode === "running") clock.run(start);
  else clock.freeze(start);
  const store = await openStore({
    database: openWasm({ library, restorable: true, template: home.bytes }),
    clock,
    resources,
    keys: new FixedKeys(readSecretKeys(home.keyText)),
  });
  const platform = await createControlledPlatform({
    store,
    clock,
    config,
    overHttp: true,
    // To the console.
    logger: createLogger("error"),
  });
  const { seed } = options;
  const tenant = seed === undefined ? home : await seedFor(platform, seed);
  await platform.controls.keepInitial();
  platform.start();
  const { cid, clientId, clientSecret } = tenant;
  return { platform, cid, clientId, clientSecret, now: clock.now() };
}

async function seedFor(
  { controls }: ControlledPlatform,
  world: NonNullable<WorkerOptions["seed"]>,
): Promise<HomeTenant> {
  const { cid } = await controls.seedWorld(world);
  const { client_id, client_secret } = await controls.createClient(cid);
  return { cid, clientId: client_id, clientSecret: client_secret };
}
