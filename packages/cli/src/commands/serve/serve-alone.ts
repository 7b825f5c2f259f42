import { withdrawServer } from "../../api/running-server.ts";
import { dataFolder } from "../../database/url.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { greet } from "./greet.ts";
import { openStores, prepareDemo } from "./prepare.ts";
import { reloadCertificate } from "./reload.ts";
import type { ServeOptions } from "./serve-options.ts";
import { configOf, start } from "./start.ts";
import { drain } from "./stop.ts";
import { openTls } from "./tls.ts";

/** Serves from this process only. */
export async function serveAlone(options: ServeOptions, surroundings: Surroundings): Promise<void> {
  const stopped = surroundings.stopRequested();
  const tls = await openTls(options, surroundings);
  const config = configOf(options, surroundings, tls);
  const stores = await openStores(options, surroundings);
  try {
    const demo = await prepareDemo(options, surroundings, stores);
    const server = await start(options, config, stores);
    const { logger } = server.context;
    surroundings.onHangUp(() => void reloadCertificate(options, surroundings, server, logger));
    try {
      await greet(options, surroundings, { ...server, config, tls, store: stores.store, demo });
      await stopped;
      await drain(server, options);
    } finally {
      withdrawServer(dataFolder(options, surroundings), process.pid);
      await server.close();
    }
  } finally {
    await stores.store.close();
  }
}
