import { layers, server, storeRooms } from "./layers.ts";
import type { Drawing } from "./draw-layers.ts";

/** The pictures of `docs/architecture/README.md`, by path. */
export const drawings: Readonly<Record<string, Drawing>> = {
  "docs/architecture/server.svg": {
    title: "The server's layers. A part imports only those below it.",
    folder: server,
    layers,
  },
  "docs/architecture/store.svg": {
    title: "The store's rooms. A room imports only those below it.",
    folder: `${server}store/`,
    layers: storeRooms,
  },
};
