import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operations, type Operation } from "@security-platform/spec";
import { expect, test } from "vitest";
import { groupsOf } from "../scripts/reference/operation-order.ts";
import { sampleInput, type SampleInput } from "../scripts/reference/sample-input.ts";
import { IndicatorReader } from "./support/indicators.ts";
import { docsFolder } from "./support/places.ts";
import { servePlatform } from "./support/platform.ts";
import { demoFolder } from "../../packages/cli/src/testing/prepared-folder.ts";

const folder = join(docsFolder, "generated/runs/fresh");

const inOrder = [...Map.groupBy(operations().filter((o) => o.scope !== null), ({ tag }) => tag).values()].flatMap((each) =>
  groupsOf(each).flatMap((group) => group.operations),
);

function requestOf(url: string, token: string, operation: Operation, input: SampleInput): Request {
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_w, name: string) => encodeURIComponent(String(input.path[name])));
  const query = new URLSearchParams(
    Object.entries(input.query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)] as [string, string]),
    ),
  ).toString();
  const headers: Record<string, string> = { authorization: `Bearer ${token}` };
  for (const [name, value] of Object.entries(input.headers)) headers[name] = String(value);
  let body: BodyInit | undefined;
  if (input.body !== null) {
    const { mediaType, value, files } = input.body;
    if (mediaType === "multipart/form-data") {
      const form = new FormData();
      for (const [name, text] of Object.entries(value as object))
        if (files.includes(name)) form.append(name, new Blob([String(text)]), "example.txt");
        else form.append(name, String(text));
      body = form;
    } else if (mediaType === "application/x-www-form-urlencoded") {
      body = new URLSearchParams(value as Record<string, string>);
    } else {
      headers["content-type"] = mediaType;
      body = JSON.stringify(value);
    }
  }
  return new Request(`${url}${path}${query === "" ? "" : `?${query}`}`, {
    method: operation.method.toUpperCase(), headers, ...(body === undefined ? {} : { body }), redirect: "manual",
  });
}

test("every sample", async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await demoFolder(folder);
  const platform = await servePlatform(folder, ["--token-rate-limit", "0", "--rate-limit", "0", "--no-docs"]);
  const { token } = await IndicatorReader.open(platform);
  const lines: string[] = [];
  for (const operation of inOrder) {
    if (operation.scope === null) continue;
    const response = await fetch(requestOf(platform.url, token, operation, sampleInput(operation)));
    const text = await response.text();
    const total = response.headers.get("x-total-count") ?? "";
    const ok = response.status === operation.successStatus;
    lines.push([ok ? (text === "[]" || /"resources":\[\]/.test(text) ? "EMPTY" : "ok") : "FAIL", response.status, operation.method, operation.path, operation.id, ok ? text.slice(0, 60) : text.slice(0, 300)].join("\t"));
    void total;
  }
  writeFileSync("/tmp/fresh.tsv", lines.join("\n"));
  await platform.stop();
  expect(lines.length).toBeGreaterThan(0);
});
