/**
 * The steps of a release: `pack <folder>` writes its files, `programs <folder>` adds `secplat` as single files,
 * `publish <folder> <tag>` publishes the packages, `notes` prints what is new.
 */
import { resolve } from "node:path";
import { notes, pack } from "./pack.ts";
import { publish } from "./publish.ts";
import { createReport } from "./report.ts";

const [step = "", folder = "", tag = ""] = process.argv.slice(2);
if (step === "pack" && folder !== "") {
  await pack(resolve(folder));
} else if (step === "programs" && folder !== "") {
  // Loaded only here, because it needs packages of this folder.
  const { makePrograms } = await import("./single-file/make-all.ts");
  await makePrograms(resolve(folder));
} else if (step === "publish" && tag !== "") {
  const { report, counts } = createReport(process.stdout);
  await publish(resolve(folder), tag, report);
  process.exitCode = counts.failed === 0 ? 0 : 1;
} else if (step === "notes") {
  process.stdout.write(notes());
} else {
  process.stderr.write(
    "release: expected pack <folder>, programs <folder>, publish <folder> <tag> or notes\n",
  );
  process.exitCode = 2;
}
