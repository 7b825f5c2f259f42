import { advisories, type Advisory } from "../../domain/container/advisories/advisories.ts";
import type { SharedEntry } from "../entries.ts";
import { alpineAdvisories } from "./alpine.ts";
import { cratesAdvisories } from "./crates.ts";
import { debianAdvisories } from "./debian.ts";
import { goAdvisories } from "./go.ts";
import { mavenAdvisories } from "./maven.ts";
import { npmAdvisories } from "./npm.ts";
import { nugetAdvisories } from "./nuget.ts";
import { pypiAdvisories } from "./pypi.ts";
import { isNewerThan, knownAdvisory } from "./record.ts";
import { redHatAdvisories } from "./red-hat.ts";
import { rubygemsAdvisories } from "./rubygems.ts";

const records: readonly Advisory[] = [
  ...npmAdvisories,
  ...pypiAdvisories,
  ...mavenAdvisories,
  ...goAdvisories,
  ...cratesAdvisories,
  ...rubygemsAdvisories,
  ...nugetAdvisories,
  ...debianAdvisories,
  ...alpineAdvisories,
  ...redHatAdvisories,
].map(knownAdvisory);

/** Well-known vulnerabilities, so that scans find something before advisories are imported. */
export const knownAdvisories: SharedEntry<Advisory> = {
  resource: advisories,
  records: () => records,
  keepsStored: isNewerThan,
};
