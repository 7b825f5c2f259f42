import { createServer, type IncomingMessage, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { Ajv } from "ajv";
import type { Json, JsonObject } from "../../src/json.ts";
import { at } from "./at.ts";

/** A server that stores things. It rejects requests that the document does not allow. */
export function thingsServer(document: JsonObject): Server {
  const post = "paths|/things|post|requestBody|content|application/json|schema";
  const isValid = new Ajv().compile(at(document, post) as JsonObject);
  const shown = Object.keys(at(document, "components|schemas|Thing|properties") as JsonObject);
  const things: JsonObject[] = [];
  const create = async (request: IncomingMessage): Promise<readonly [number, Json]> => {
    const body = (await json(request)) as JsonObject;
    if (!isValid(body)) return [400, null];
    const thing = Object.fromEntries(shown.map((name) => [name, body[name] ?? "none"]));
    things.push(thing);
    return [201, thing];
  };
  const answer = async (request: IncomingMessage): Promise<readonly [number, Json]> => {
    if (request.url !== "/things") return [404, null];
    return request.method === "GET" ? [200, things] : create(request);
  };
  return createServer(async (request, response) => {
    const [status, body] = await answer(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
}
