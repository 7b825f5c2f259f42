import { readFileSync } from "node:fs";
import { fastify } from "fastify";

/** A route that returns the bytes of a file, without a database. */
const body = readFileSync(process.argv[2] ?? "", "utf8");
const app = fastify();
app.get("/iocs/entities/indicators/v1", (_request, reply) =>
  reply.header("content-type", "application/json; charset=utf-8").send(body),
);
await app.listen({ host: "127.0.0.1", port: 0 });
console.log(`ready ${app.listeningOrigin}`);
process.on("SIGTERM", () => process.exit(0));
