// Contract cases of a document: `node cases.ts DOCUMENT SERVER JUNIT`. Every example of a request
// must be accepted, and every answer must fit its schema.
import { readFileSync, writeFileSync } from "node:fs";
import { Ajv } from "ajv";
import type { JsonObject } from "../../src/json.ts";
import { at } from "./at.ts";

const [, , file = "", server = "", junit = ""] = process.argv;
const document = JSON.parse(readFileSync(file, "utf8")) as JsonObject;
const ajv = new Ajv({ strict: false }).addSchema({ ...document, $id: "document" });

/** The problem of a response; undefined if there is none. */
async function wrong(method: string, status: number, body?: unknown): Promise<string | undefined> {
  const response = await fetch(`${server}/things`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status !== status) return `expected ${status}, got ${response.status}`;
  const tokens = ["paths", "~1things", method.toLowerCase(), "responses", status, "content"];
  const pointer = [...tokens, "application~1json", "schema"].join("/");
  const isValid = ajv.validate(`document#/${pointer}`, await response.json());
  return isValid ? undefined : ajv.errorsText();
}

const [example] = Object.values(
  at(document, "paths|/things|post|requestBody|content|application/json|examples") as JsonObject,
);
const cases = [
  [
    "createThing",
    "201 for its example",
    await wrong("POST", 201, (example as JsonObject)["value"]),
  ],
  ["listThings", "200 with all things", await wrong("GET", 200)],
] as const;
const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
writeFileSync(
  junit,
  `<testsuites>${cases.map(
    ([operation, name, problem]) =>
      `<testcase classname='${operation}' name='${name}'>${problem === undefined ? "" : `<failure>${escape(problem)}</failure>`}</testcase>`,
  )}</testsuites>`,
);
process.exitCode = cases.some(([, , problem]) => problem !== undefined) ? 1 : 0;
