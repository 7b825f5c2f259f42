/**
 * Copies rows to a file with one cursor and nothing else: `node copy-rows.ts <database> <cid> <file>`. Prints
 * the processor seconds that it took.
 */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const [path = "", cid = "", target = ""] = process.argv.slice(2);
const chunkCharacters = 1024 * 1024;
const columns = [
  "cve_id",
  "severity",
  "cvss_score",
  "package_name",
  "package_version",
  "fixed_version",
  "published_at",
  "image_digest",
  "registry",
  "repository",
  "tag",
];

const database = new DatabaseSync(path, { readOnly: true });
const fields = columns.map((name) => `json_extract(doc, '$.${name}')`).join(", ");
void fields;
const mode = process.env["MODE"] ?? "doc";
const rows = database.prepare(
  mode === "doc"
    ? "select doc from container_image_vulnerabilities where cid = ? and valid_to is null order by row"
    : `select ${columns.map((name) => `field_${name}`).join(", ")} from container_image_vulnerabilities where cid = ? and valid_to is null order by row`,
);
if (mode !== "doc")
  (rows as unknown as { setReturnArrays(on: boolean): void }).setReturnArrays(true);
const before = process.cpuUsage();
const file = openSync(target, "w");
let text = "";
let count = 0;
for (const row of rows.iterate(cid)) {
  if (mode === "doc") text += (row as { doc: string }).doc + "\n";
  else text += (row as unknown as unknown[]).join(",") + "\r\n";
  count += 1;
  if (text.length > chunkCharacters) {
    writeSync(file, text);
    text = "";
  }
}
writeSync(file, text);
fsyncSync(file);
closeSync(file);
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${count} rows in ${(user + system) / 1e6} s\n`);
