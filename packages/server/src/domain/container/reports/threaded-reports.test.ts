import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { ImageReport } from "../scans/scans.ts";
import { workInThread } from "./threaded-reports.ts";

const example = new URL(
  "../../../../../../spec/container/examples/image-report.yaml",
  import.meta.url,
);
const { value } = parse(readFileSync(example, "utf8")) as { readonly value: ImageReport };
const report = new TextEncoder().encode(JSON.stringify(value));

test("reports of one tenant wait for those of other tenants in turn, and a broken one stops nothing", async () => {
  const opened: string[] = [];
  const read = async (name: string, content = report) => {
    const open = () => {
      opened.push(name);
      return Promise.resolve(
        (async function* () {
          yield await Promise.resolve(content);
        })(),
      );
    };
    const result = await workInThread(name.slice(0, 1), open, { kind: "sarif" });
    return JSON.parse(new TextDecoder().decode(result)) as { readonly version: string };
  };
  const works = ["a1", "a2", "a3", "b1", "c1", "b2"].map((name) =>
    read(name, name === "a1" ? new TextEncoder().encode("{") : report),
  );
  const results = await Promise.allSettled(works);
  expect(opened).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", ...Array(5).fill("fulfilled")]);
});
