import { foldCase, type Predicate } from "@security-platform/fql";
import { findDownloads } from "../../domain/downloads/find-downloads.ts";
import type { Handler } from "../../handler.ts";

export const EnumerateFile: Handler<"EnumerateFile"> = async (call) => {
  const { file_name, file_version, platform, os, arch, category } = call.query;
  const wanted = [
    ["file_name", file_name && foldCase(file_name)],
    ["file_version", file_version],
    ["os", platform],
    ["os", os],
    ["arch", arch],
    ["category", category],
  ] as const;
  const operands = wanted.flatMap(([field, value]): Predicate[] =>
    value === undefined ? [] : [{ kind: "equal", field, value, fold: field === "file_name" }],
  );
  const files = await findDownloads(
    call,
    { kind: "and", operands },
    { remedy: "give more values, such as category" },
  );
  return { kind: "object", object: { files } };
};
