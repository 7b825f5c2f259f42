import { readdirSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import {
  credentialsFile,
  readCredentials,
  removeCredentials,
  writeCredentials,
} from "./credentials.ts";
import { testWith } from "../../../../testing/platform.ts";

const credentials = { client_id: "a", client_secret: "b", cid: "c" };

testWith("permission bits")("reads what was written, for this user only", () => {
  const folder = temporaryFolder();
  expect(readCredentials(folder)).toBeNull();
  writeCredentials(folder, credentials);
  expect(readCredentials(folder)).toEqual(credentials);
  expect(statSync(credentialsFile(folder)).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["credentials.json"]);
});

testWith("permission bits")("restricts the permissions of an existing file", () => {
  const folder = temporaryFolder();
  writeFileSync(credentialsFile(folder), "{}", { mode: 0o644 });
  writeCredentials(folder, credentials);
  expect(statSync(credentialsFile(folder)).mode & 0o777).toBe(0o600);
});

test.each(["", "{", "null", "[]", '{"client_id":"a","client_secret":1,"cid":"c"}'])(
  "explains what to do with a file that contains %j",
  (text) => {
    const folder = temporaryFolder();
    writeFileSync(credentialsFile(folder), text);
    expect(() => readCredentials(folder)).toThrow(
      `${credentialsFile(folder)} does not contain the demo's client_id, client_secret and cid; delete it`,
    );
  },
);

test("removes credentials, also if they have already been deleted", () => {
  const folder = temporaryFolder();
  writeCredentials(folder, credentials);
  removeCredentials(folder);
  removeCredentials(folder);
  expect(readCredentials(folder)).toBeNull();
});
