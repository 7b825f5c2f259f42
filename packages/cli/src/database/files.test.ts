import { expect, test } from "vitest";
import type { CliContext } from "../terminal/cli-context.ts";
import { openFiles } from "./files.ts";

const secrets = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
const open = (files: string | undefined, environment = {}) =>
  openFiles({ data: ".data", ...(files === undefined ? {} : { files }) }, {
    workingFolder: "/project",
    environment,
  } as CliContext);

test("are stored in a folder, or in a bucket, which has its own URLs", () => {
  expect(open(undefined).link).toBeUndefined();
  expect(open("file:elsewhere").link).toBeUndefined();
  expect(open("s3://bucket/files", secrets).link).toBeDefined();
});

test.each([
  ["elsewhere", "--files: expected file:<folder> or s3://<bucket>/<prefix>"],
  ["s3://b", "--files: expected the name of a bucket"],
])("rejects %s", (files, reason) => {
  expect(() => open(files, secrets)).toThrow(reason);
});

test("needs credentials for a bucket", () => {
  expect(() => open("s3://bucket")).toThrow("s3:// needs AWS_ACCESS_KEY_ID");
  expect(() => open("s3://bucket", { ...secrets, AWS_SECRET_ACCESS_KEY: "" })).toThrow(
    "AWS_SECRET_ACCESS_KEY",
  );
});
