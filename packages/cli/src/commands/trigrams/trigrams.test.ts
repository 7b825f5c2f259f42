import { expect, test } from "vitest";
import { commandLine } from "../../testing/command-line.ts";
import { preparedFolder } from "../../testing/prepared-folder.ts";

const tenant = preparedFolder((folder) =>
  commandLine({ folder }).json(["tenants", "create", "Acme"]),
);

test("SQLite has no indexes of trigrams, and the commands say so", async () => {
  const { folder } = await tenant();
  const command = commandLine({ folder });
  for (const words of [["list"], ["add", "indicators.value"], ["remove", "indicators.value"]]) {
    const outcome = await command(["trigrams", ...words]);
    expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
    expect(outcome.stderr).toMatch(/indexes of trigrams are for PostgreSQL only/);
  }
});
