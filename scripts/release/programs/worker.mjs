/** The checks in a worker, whose bindings have the names of environment variables. */
import { runChecks } from "./checks.js";

export default {
  async fetch(_request, { SECPLAT_URL, SECPLAT_CLIENT_ID, SECPLAT_CLIENT_SECRET }) {
    const outcome = await runChecks({
      credentials: {
        baseUrl: SECPLAT_URL,
        clientId: SECPLAT_CLIENT_ID,
        clientSecret: SECPLAT_CLIENT_SECRET,
      },
      print: String,
    });
    return Response.json(outcome);
  },
};
