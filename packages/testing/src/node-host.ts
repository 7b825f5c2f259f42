import { once } from "node:events";
import type { AddressInfo } from "node:net";
import {
  connectionsOf,
  ControlledClock,
  createControlledPlatform,
  createLogger,
  FixedKeys,
  openStoreAt,
  readSecretKeys,
  type ControlledPlatform,
  type Template,
} from "@security-platform/server/internal";
import { checkOptions, type Settings, type StartOptions } from "./options.ts";
import { openTemplate } from "./template.ts";
import { testPlatform, type TestPlatform } from "./test-platform.ts";

const host = "127.0.0.1";

/** Shared by all platforms of the process. */
let template: Promise<Template> | undefined;

/** Stopped platforms in their initial state, by their configuration. The next start uses one. */
const idle = new Map<string, ControlledPlatform>();

/**
 * Starts a platform in this process, with a database in memory and a clock that stands still. Several may run at the
 * same time. Throws a `TypeError` or a `RangeError` for invalid options.
 */
export async function startPlatform(options: StartOptions = {}): Promise<TestPlatform> {
  const settings = checkOptions(options);
  const key = JSON.stringify(settings.config);
  template ??= openTemplate();
  const home = await template;
  const kept = idle.get(key);
  idle.delete(key);
  const platform = kept ?? (await create(settings, home));
  const { controls, app } = platform;
  controls.clock.freeze(settings.now ?? new Date());
  await controls.keepInitial();
  controls.faults.clear();
  controls.requests.clear();
  app.server.listen(settings.port, host);
  await once(app.server, "listening");
  platform.start();
  const { port } = app.server.address() as AddressInfo;
  return testPlatform({
    platform,
    home,
    baseUrl: `http://${host}:${port}`,
    stop: () => release(platform, key),
  });
}

async function create({ config }: Settings, home: Template): Promise<ControlledPlatform> {
  const clock = new ControlledClock();
  const logger = createLogger("silent");
  const store = await openStoreAt({
    url: "sqlite::memory:",
    restorable: true,
    template: home.bytes,
    clock,
    keys: new FixedKeys(readSecretKeys(home.keyText)),
  });
  return createControlledPlatform({
    store,
    clock,
    logger,
    config,
    connections: connectionsOf(config, logger),
  });
}

/** Keeps the platform for the next start, or ends it. */
async function release(platform: ControlledPlatform, key: string): Promise<void> {
  const { app, controls, worker, context } = platform;
  app.server.closeAllConnections();
  app.server.close();
  await controls.reset();
  await worker.stop();
  if (!idle.has(key)) {
    idle.set(key, platform);
    return;
  }
  await platform.stop();
  await context.store.close();
}
