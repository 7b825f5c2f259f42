import { where } from "@security-platform/fql";
import { findDownloads } from "../../domain/downloads/find-downloads.ts";
import type { Handler } from "../../calls/handler.ts";

export const EnumerateFile: Handler<"EnumerateFile"> = async (call) => {
  const { file_name, file_version, platform, os, arch, category } = call.query;
  const conditions = [
    ["file_version", file_version],
    ["os", platform],
    ["os", os],
    ["arch", arch],
    ["category", category],
  ] as const;
  const predicate = where.all(
    file_name === undefined ? where.everything : where.equalFolded("file_name", file_name),
    ...conditions.map(([field, value]) =>
      value === undefined ? where.everything : where.equal(field, value),
    ),
  );
  const files = await findDownloads(call, predicate, {
    remedy: "give more values, such as category",
  });
  return { kind: "object", object: { files } };
};
