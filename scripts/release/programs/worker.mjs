/** The checks in a worker, whose bindings have the names of environment variables. */
import { createClient } from "@security-platform/client";
import { runChecks } from "./checks.js";

/** A client for all requests of the worker. workerd lets no request wait for another one. */
let shared;

export default {
  async fetch(request, { SECPLAT_URL, SECPLAT_CLIENT_ID, SECPLAT_CLIENT_SECRET }) {
    const credentials = {
      baseUrl: SECPLAT_URL,
      clientId: SECPLAT_CLIENT_ID,
      clientSecret: SECPLAT_CLIENT_SECRET,
    };
    if (new URL(request.url).pathname === "/shared") {
      shared ??= createClient({ ...credentials, concurrency: Infinity });
      const { data } = await shared.ioc.listPlatforms();
      return Response.json(data);
    }
    return Response.json(await runChecks({ credentials, print: String }));
  },
};
