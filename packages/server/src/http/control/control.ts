import type { FaultRule } from "@security-platform/spec";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { errors } from "../../foundation/errors.ts";
import { StoreError } from "../../store/index.ts";
import { isLoopbackHost, isLoopbackOrigin } from "../loopback.ts";
import type { ControlPlane } from "./control-plane.ts";
import { filterNames } from "./journal.ts";
import { faultProblems } from "./read-fault.ts";
import { boolean, count, instant, membersOf, queryOf, required, text } from "./read-members.ts";

const path = "/_control";
const longestWait = 60_000;

/** `/_control` of `spec/control.yaml`, for tests only. The host binds only to loopback. The plane exists before the first request. */
export async function routeControl(
  app: FastifyInstance,
  planeOf: () => ControlPlane,
): Promise<void> {
  await app.register(
    async (control) => {
      control.addHook("onRequest", requireThisMachine);
      routeState(control, planeOf);
      routeClock(control, planeOf);
      routeFaults(control, planeOf);
      routeRequests(control, planeOf);
      routeSeed(control, planeOf);
      routeWork(control, planeOf);
    },
    { prefix: path },
  );
}

/**
 * Refuses requests of pages of other origins, and host names that do not belong to this machine (DNS
 * rebinding). Both can make a browser on this machine send requests.
 */
function requireThisMachine(
  { headers: { host, origin } }: FastifyRequest,
  _reply: unknown,
  done: (error?: Error) => void,
): void {
  if (!isLoopbackHost(host)) {
    done(errors.forbidden("headers.host: expected localhost or a loopback address"));
  } else if (origin !== undefined && !isLoopbackOrigin(origin)) {
    done(errors.forbidden("headers.origin: expected a page of this machine"));
  } else {
    done();
  }
}

/** Runs work of the plane, whose errors then name the request. */
async function refused<Result>(at: string, work: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof RangeError) {
      throw errors.invalidRequest([{ at, message: error.message }]);
    }
    if (error instanceof StoreError) throw errors.conflict([{ at: "", message: error.message }]);
    throw error;
  }
}

const done = (reply: FastifyReply): FastifyReply => reply.code(204).send();

const numberIn = ({ params }: FastifyRequest): number =>
  count((params as { readonly number: string }).number, "path.number", 1);

function routeState(app: FastifyInstance, plane: () => ControlPlane): void {
  app.post("/reset", async (_request, reply) => {
    await refused("", () => plane().reset());
    return done(reply);
  });
  app.get("/snapshots", () => ({ snapshots: plane().snapshots }));
  app.post("/snapshots", async (_request, reply) => {
    const snapshot = await refused("", () => plane().takeSnapshot());
    return reply.code(201).send({ snapshot });
  });
  app.post("/snapshots/:number/restore", async (request, reply) => {
    await refused("path.number", () => plane().restore(numberIn(request)));
    return done(reply);
  });
  app.delete("/snapshots/:number", async (request, reply) => {
    await refused("path.number", () => plane().dropSnapshot(numberIn(request)));
    return done(reply);
  });
}

function routeClock(app: FastifyInstance, plane: () => ControlPlane): void {
  const shown = () => ({ now: plane().clock.now(), frozen: plane().clock.frozen });
  app.get("/clock", shown);
  app.patch("/clock", ({ body }) => {
    const members = membersOf(body, ["now", "frozen"]);
    const to = instant(members["now"], "body.now") ?? plane().clock.now();
    const frozen = boolean(members["frozen"], "body.frozen") ?? plane().clock.frozen;
    if (frozen) plane().clock.freeze(to);
    else plane().clock.run(to);
    return shown();
  });
  app.post("/clock/advance", async ({ body }) => {
    const duration = required(membersOf(body, ["duration"])["duration"], "body.duration");
    if (typeof duration !== "string" && typeof duration !== "number") {
      const message = "expected a text such as 3 h, or a number of milliseconds";
      throw errors.invalidRequest([{ at: "body.duration", message }]);
    }
    return refused("body", () => plane().advance(duration));
  });
}

function routeFaults(app: FastifyInstance, plane: () => ControlPlane): void {
  app.get("/faults", () => ({ faults: plane().faults.list() }));
  app.post("/faults", ({ body }, reply) => {
    const problems = faultProblems(body).map(({ at, message }) => ({
      at: at === "" ? "body" : `body.${at}`,
      message,
    }));
    if (problems.length > 0) throw errors.invalidRequest(problems);
    return reply.code(201).send(plane().faults.add(body as FaultRule));
  });
  app.delete("/faults", (_request, reply) => {
    plane().faults.clear();
    return done(reply);
  });
  app.delete("/faults/:number", (request, reply) => {
    const id = numberIn(request);
    if (plane().faults.remove(id)) return done(reply);
    throw errors.recordsNotFound("fault", [String(id)]);
  });
}

function routeRequests(app: FastifyInstance, plane: () => ControlPlane): void {
  app.get("/requests", async ({ query, raw }) => {
    const values = queryOf(query, [...filterNames, "count", "wait_ms"]);
    const numberOf = (name: string) =>
      values[name] === undefined ? undefined : count(values[name], `query.${name}`, 0);
    const filter = {
      operation_id: values["operation_id"],
      method: values["method"]?.toUpperCase(),
      path: values["path"],
      status: numberOf("status"),
      fault: numberOf("fault"),
      after: numberOf("after"),
    };
    const waitMilliseconds = Math.min(numberOf("wait_ms") ?? 0, longestWait);
    if (waitMilliseconds > 0) {
      const left = new AbortController();
      raw.once("close", () => left.abort());
      const signal = AbortSignal.any([left.signal, AbortSignal.timeout(waitMilliseconds)]);
      // After the time, what has arrived is the response.
      await plane()
        .requests.waitFor(filter, { count: numberOf("count") ?? 1, signal })
        .catch(() => undefined);
    }
    return { requests: await refused("query", () => plane().requests.list(filter)) };
  });
  app.delete("/requests", (_request, reply) => {
    plane().requests.clear();
    return done(reply);
  });
}

function routeSeed(app: FastifyInstance, plane: () => ControlPlane): void {
  app.post("/seed", async ({ body }, reply) => {
    const members = membersOf(body, ["world", "seed", "kind", "records", "cid"]);
    const { world, kind, records } = members;
    if (world !== undefined) {
      const seed = members["seed"] === undefined ? 1 : count(members["seed"], "body.seed", 0);
      const seeded = await refused("body.world", () =>
        plane().seedWorld(text(world, "body.world"), seed),
      );
      return reply.code(201).send(seeded);
    }
    if (!Array.isArray(records) || !records.every((each) => typeof each === "object")) {
      const message = "expected a list of objects, or world instead of kind and records";
      throw errors.invalidRequest([{ at: "body.records", message }]);
    }
    const cid = text(required(members["cid"], "body.cid"), "body.cid");
    const of = text(required(kind, "body.kind"), "body.kind");
    const { imported, updated } = await refused("body", () =>
      plane().seedRecords(of, records as object[], cid),
    );
    return reply.code(201).send({ imported, updated });
  });
  app.post("/tenants", async ({ body }, reply) => {
    const members = membersOf(body, ["name", "parent_cid"]);
    const name = text(required(members["name"], "body.name"), "body.name");
    const parent = members["parent_cid"];
    const parentCid = parent === undefined ? null : text(parent, "body.parent_cid");
    const tenant = await refused("body.parent_cid", () => plane().createTenant(name, parentCid));
    return reply.code(201).send(tenant);
  });
  app.post("/clients", async ({ body }, reply) => {
    const cid = text(required(membersOf(body, ["cid"])["cid"], "body.cid"), "body.cid");
    const { client_id, client_secret } = await refused("body.cid", () => plane().createClient(cid));
    return reply.code(201).send({ cid, client_id, client_secret });
  });
}

const mostListed = 1_000;

function routeWork(app: FastifyInstance, plane: () => ControlPlane): void {
  app.get("/jobs", async () => ({ jobs: await plane().listJobs(mostListed) }));
  app.post("/jobs/run", async () => ({ attempts: await plane().runJobs() }));
  app.get("/mails", async () => ({ mails: await plane().listMails(mostListed) }));
  app.get("/deliveries", async () => ({ deliveries: await plane().listDeliveries(mostListed) }));
  app.get("/limits", () => ({ limits: plane().listLimits() }));
  app.delete("/limits", (_request, reply) => {
    plane().clearLimits();
    return done(reply);
  });
}
