/** The checks in a process of Node.js, Bun or Deno. */
import { inspect } from "node:util";
import { runChecks } from "./checks.js";

const { SECPLAT_URL, SECPLAT_CLIENT_ID, SECPLAT_CLIENT_SECRET } = process.env;
const outcome = await runChecks({
  credentials: {
    baseUrl: SECPLAT_URL,
    clientId: SECPLAT_CLIENT_ID,
    clientSecret: SECPLAT_CLIENT_SECRET,
  },
  print: (value) => inspect(value, { depth: Infinity, showHidden: true }),
});
console.log(JSON.stringify(outcome));
