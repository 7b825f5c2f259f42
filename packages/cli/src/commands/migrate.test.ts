import { expect, test } from "vitest";
import { commandLine } from "../testing/command-line.ts";
import { preparedFolder } from "../testing/prepared-folder.ts";

const tenant = preparedFolder((folder) =>
  commandLine({ folder }).json(["tenants", "create", "Acme"]),
);

test("an upgrade is finished, and can be finished again", async () => {
  const { folder } = await tenant();
  const command = commandLine({ folder });
  expect(await command.json(["migrate"])).toEqual({ finished: false });
  const before = await command(["migrate"]);
  expect(before.stdout).toMatch(/servers of the version before may go on\n.* --finish\n$/);
  for (const _ of [1, 2]) {
    expect(await command(["migrate", "--finish"])).toMatchObject({
      exitCode: 0,
      stdout: "the upgrade is finished\n",
      stderr: "",
    });
  }
  expect(await command.json(["tenants", "list"])).toMatchObject([{ name: "Acme" }]);
});

test("a database that does not exist is not created", async () => {
  const { folder } = await tenant();
  const outcome = await commandLine({ folder })(["migrate", "--data", "none"]);
  expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
  expect(outcome.stderr).toMatch(/there is no database at /);
});
