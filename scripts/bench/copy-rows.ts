/**
 * Copies rows to a file with one cursor and nothing else, and prints the processor seconds that it took:
 * `node copy-rows.ts <database> <cid> <file> <columns>`. With columns, separated by commas, it copies their
 * values, otherwise the texts of the records.
 */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const [path = "", cid = "", target = "", columns = ""] = process.argv.slice(2);
const chunkCharacters = 256 * 1024;
const selected = columns === "" ? "doc" : columns.replaceAll(/\w+/g, "field_$&");
const rows = new DatabaseSync(path, { readOnly: true }).prepare(
  `select ${selected} from container_image_vulnerabilities
   where cid = ? and valid_to is null order by row`,
);
rows.setReturnArrays(true);
const before = process.cpuUsage();
const file = openSync(target, "w");
let text = "";
let count = 0;
for (const row of rows.iterate(cid) as Iterable<unknown> as Iterable<readonly string[]>) {
  text += `${row.join(",")}\r\n`;
  count += 1;
  if (text.length < chunkCharacters) continue;
  writeSync(file, text);
  text = "";
}
writeSync(file, text);
fsyncSync(file);
closeSync(file);
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${count} rows in ${(user + system) / 1e6} s\n`);
