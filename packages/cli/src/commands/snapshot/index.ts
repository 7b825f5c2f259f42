import { exportSnapshot, importSnapshot } from "@security-platform/server/internal";
import type { Command } from "commander";
import type { CliContext } from "../../terminal/cli-context.ts";
import { addWritingCommand } from "../backup/back-up.ts";
import { addReadingCommand } from "../backup/restore.ts";

export function addSnapshotCommand(program: Command, context: CliContext): void {
  const snapshot = program
    .command("snapshot")
    .description(
      "Move all of a platform to another database, also from SQLite to PostgreSQL and back. A snapshot has the same " +
        "bytes for the same content, whichever engine it is from.",
    );
  addWritingCommand(snapshot, context, {
    name: "export",
    summary: "write all of a platform to a file",
    description:
      "Write the content of the database as of one instant to a new file, with the files of all tenants, while servers " +
      "go on. The file is read again before it gets its name.",
    example: "secplat snapshot export all.tar",
    label: "exporting",
    write: exportSnapshot,
  });
  addReadingCommand(snapshot, context, {
    name: "import",
    summary: "fill an empty database with a snapshot",
    description:
      "Fill an empty database with a snapshot, after all of it has been checked. If anything fails, the database is " +
      "unchanged. Servers must not run. Files and keys are added, and none is removed.",
    kind: "snapshot",
    example: "secplat snapshot import all.tar",
    read: importSnapshot,
  });
}
