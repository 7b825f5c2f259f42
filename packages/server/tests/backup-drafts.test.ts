import { readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { abandonedDrafts } from "../src/host/backup/drafts.ts";
import { openStoreAt } from "../src/host/open-store-at.ts";
import { clock, newBackup, restoring, temporary } from "./support/backups.ts";
import { testKeys } from "./support/secret-keys.ts";

test("what a backup or a restore leaves when it is killed is found an hour later", async () => {
  const folder = temporary();
  const source = join(folder, "source.sqlite");
  const url = `sqlite:${source}`;
  await (await openStoreAt({ url, keys: testKeys })).close();
  const path = join(folder, "backup.tar");
  const seen = new Set<string>();
  const look = (): void => {
    for (const name of readdirSync(folder)) seen.add(name);
  };
  await newBackup(url, { path, readKeys: () => "keys", onProgress: look });
  rmSync(source);
  await restoring(url, path, { takeKeys: look });
  const drafts = [...seen].filter(
    (name) => !/^(?:source\.sqlite|backup\.tar)(?:-\w+)?$/.test(name),
  );
  for (const kind of ["copied", "part", "restored"]) {
    expect(drafts.filter((name) => name.endsWith(`.${kind}`))).toHaveLength(1);
  }
  expect(await abandonedDrafts(path, clock.now())).toEqual([]);
  for (const name of drafts) {
    const draft = join(folder, name);
    writeFileSync(draft, "");
    const changed = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000);
    utimesSync(draft, changed(59), changed(59));
    expect(await abandonedDrafts(path, clock.now())).not.toContain(draft);
    utimesSync(draft, changed(61), changed(61));
    expect(await abandonedDrafts(path, clock.now())).toContain(draft);
  }
  expect(await abandonedDrafts(join(folder, "missing/a.tar"), clock.now())).toEqual([]);
});
