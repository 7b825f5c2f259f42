/**
 * Generates the pages and data of the document and of the command line in `generated/`: `reference/` and
 * `guides/` (pages), `public/` (static files), `sidebar.json`, and `samples/` (the programs on the pages,
 * for the type check).
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  companionDocument,
  completeDocument,
  controlDocument,
  controlOperations,
  document,
  envelopeDocument,
  errata,
  fqlTables,
  identityGraphqlSchema,
  importSchemas,
  operations,
} from "@security-platform/spec";
import { stringify } from "yaml";
import {
  documentChangelog,
  documentChangelogPage,
  packageChangelogPage,
  readChangesets,
  readPackages,
} from "./changelog-pages.ts";
import { clientFigures } from "./client-figures.ts";
import { codeColorStyles } from "./code-colors.ts";
import { commandLinePage } from "./command-line.ts";
import { consoleData, filteredOperations } from "./console-data.ts";
import { controlPage } from "./control-page.ts";
import { judgingPage, readCorpus, readJudging } from "./judging-page.ts";
import {
  collectionMarkdown,
  llmsIndex,
  operationMarkdown,
  pageMarkdown,
  plainParts,
  referenceTables,
  schemaMarkdown,
  schemasMarkdown,
} from "./machine-files.ts";
import { clientSample } from "./reference/client-sample.ts";
import { errataPage } from "./reference/errata-page.ts";
import { graphqlPage } from "./reference/graphql-page.ts";
import { importPage, importSchemaFile, standaloneSchema } from "./reference/import-page.ts";
import { collectionPage, collectionsOf, referencePage } from "./reference/index-pages.ts";
import { joinBlocks } from "./reference/markdown.ts";
import { operationPage } from "./reference/operation-page.ts";
import { operationPlace } from "./reference/places.ts";
import { sampleInput } from "./reference/sample-input.ts";
import { schemaPage, schemasPage, schemaUses } from "./reference/schema-pages.ts";
import {
  headersPage,
  limitsPage,
  scopesPage,
  scopeTexts,
  statusesPage,
} from "./reference/table-pages.ts";
import { unfoldingParts, type ValueParts } from "./reference/value-parts.ts";
import { postmanCollection } from "./request-collections/postman.ts";
import { requestFolders } from "./request-collections/requests.ts";
import { blocksOf } from "./samples/blocks.ts";
import { settingsPage } from "./settings-page.ts";
import { guideOf, guideMap, sidebars, type Guide } from "./sidebar.ts";
import { Subjects } from "./subjects.ts";
import { versionsPage } from "./versions-page.ts";

const folder = fileURLToPath(new URL("../generated", import.meta.url));

function write(name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

rmSync(folder, { recursive: true, force: true });
const { components, tags } = completeDocument();
const collections = collectionsOf(operations(), tags);
const guidesFolder = fileURLToPath(new URL("../guides", import.meta.url));
const guideSources = new Map(
  readdirSync(guidesFolder).map((file) => [
    basename(file, ".md"),
    readFileSync(join(guidesFolder, file), "utf8"),
  ]),
);
const writtenGuides = [...guideSources].map(([name, source]) => guideOf(name, source));
const subjects = new Subjects(writtenGuides, collections);
const operationsSections = writtenGuides.flatMap((guide) => {
  const section = subjects.operationsSection(guide);
  return section === "" ? [] : [[guide.name, section] as const];
});
write("operations-of-guides.json", JSON.stringify(Object.fromEntries(operationsSections)));

write("reference/index.md", referencePage(collections));
write("reference/errata.md", errataPage(errata(), collections));
write("reference/changelog.md", documentChangelogPage(documentChangelog(), operations()));
for (const collection of collections) {
  write(
    `reference/${collection.name}/index.md`,
    collectionPage(collection, subjects.guidesOf(collection)),
  );
  for (const operation of collection.operations) {
    write(
      `reference/${operationPlace(operation)}.md`,
      operationPage(operation, components.schemas, subjects),
    );
    write(`samples/reference/${operation.id}.ts`, clientSample(operation, sampleInput(operation)));
  }
}
write("reference/scopes.md", scopesPage(operations(), scopeTexts(document())));
write("reference/statuses.md", statusesPage(operations()));
write("reference/headers.md", headersPage(operations(), components.schemas));
write("reference/limits.md", limitsPage(operations(), components.schemas));
for (const operation of operations()) {
  write(
    `public/console/${operation.id}.json`,
    JSON.stringify(consoleData(operation, components.schemas)),
  );
}
write("public/console/filters.json", JSON.stringify(filteredOperations(operations())));
for (const [resource, { fields }] of Object.entries(fqlTables)) {
  write(`public/console/fields/${resource}.json`, JSON.stringify(fields));
}
const uses = schemaUses(operations(), components.schemas);
write("reference/schemas/index.md", schemasPage(uses));
for (const use of uses) {
  write(`reference/schemas/${use.name}.md`, schemaPage(use, components.schemas));
}
write("public/openapi.json", `${JSON.stringify(document(), null, 2)}\n`);
write("public/openapi.yaml", stringify(document(), { lineWidth: 0 }));
write("public/openapi.envelope.json", `${JSON.stringify(envelopeDocument(), null, 2)}\n`);
write("public/companion.json", `${JSON.stringify(companionDocument(), null, 2)}\n`);
write("public/control.json", `${JSON.stringify(controlDocument(), null, 2)}\n`);
const folders = requestFolders(collections);
const postman = postmanCollection(folders, document().info.version);
write("public/postman.json", `${JSON.stringify(postman, null, 2)}\n`);

for (const [kind, schema] of Object.entries(importSchemas())) {
  write(`public/${importSchemaFile(kind)}`, standaloneSchema(schema));
}

write("guides/commands.md", await commandLinePage());
write("guides/all-settings.md", settingsPage());
/** Guides whose values unfold in a browser. */
const guidesWithValues: Readonly<Record<string, (parts: ValueParts) => string>> = {
  "control-plane": (parts) => controlPage(controlDocument(), controlOperations(), parts),
  "import-kinds": (parts) => importPage(importSchemas(), components.schemas, parts),
};
for (const [name, page] of Object.entries(guidesWithValues)) {
  write(`guides/${name}.md`, page(unfoldingParts));
}
write("guides/identity-graphql.md", graphqlPage(identityGraphqlSchema()));

write("guides/versions.md", versionsPage(document(), companionDocument()));
write("guides/how-the-gate-judges.md", judgingPage(readJudging(), readCorpus()));
write("guides/changes.md", packageChangelogPage(readPackages(), readChangesets()));

const brand = fileURLToPath(new URL("../brand", import.meta.url));
for (const file of readdirSync(brand))
  copyFileSync(join(brand, file), join(folder, "public", file));

write("code-colors.css", codeColorStyles());
write("public/robots.txt", "User-agent: *\nAllow: /\n");

const markdown = new Map<string, string>();
for (const operation of operations()) {
  markdown.set(
    `reference/${operationPlace(operation)}.md`,
    operationMarkdown(operation, components.schemas, subjects.guidesAbout(operation)),
  );
}

const generated = [
  { name: "commands", title: "All commands", group: "Tools", order: 20 },
  { name: "all-settings", title: "All settings", group: "Operating", order: 15 },
  { name: "control-plane", title: "Control plane", group: "Testing", order: 90 },
  { name: "import-kinds", title: "Import kinds", group: "Operating", order: 30 },
  { name: "how-the-gate-judges", title: "How the gate judges", group: "Tools", order: 44 },
  { name: "versions", title: "Versions", group: "Tools", order: 90 },
  { name: "changes", title: "Changes of the packages", group: "Tools", order: 91 },
  {
    name: "identity-graphql",
    title: "GraphQL schema of identities",
    group: "Collections",
    order: 91,
  },
] satisfies readonly Omit<Guide, "subjects">[];
const guides: readonly Guide[] = [
  ...generated.map((guide) => ({ ...guide, subjects: [] })),
  ...writtenGuides,
];
const sectionOf = new Map(operationsSections);
for (const [name, source] of guideSources) {
  markdown.set(
    `guides/${name}.md`,
    pageMarkdown(joinBlocks([source.trimEnd(), sectionOf.get(name) ?? ""])),
  );
  for (const { title, text } of blocksOf(source)) {
    if (title?.endsWith(".ts") === true) write(`samples/${name}/${title}`, text);
  }
}
write("sidebar.json", JSON.stringify(sidebars(collections, guides)));
write("guide-map.html", guideMap(guides));
const triedClients = readFileSync(join(guidesFolder, "move-existing-clients.md"), "utf8");
write("figures.html", clientFigures(triedClients));
/** A generated guide with its group in the front matter, as the others have it. */
const withGroup = (source: string, group: string): string =>
  source.startsWith("---\n")
    ? source.replace("---\n", `---\ngroup: ${group}\n`)
    : `---\ngroup: ${group}\n---\n\n${source}`;

const generatedGuides = guides.filter((guide) => !markdown.has(`guides/${guide.name}.md`));
for (const { name, group } of generatedGuides) {
  const file = `guides/${name}.md`;
  const source = readFileSync(join(folder, file), "utf8");
  write(file, withGroup(source, group));
  markdown.set(file, pageMarkdown(guidesWithValues[name]?.(plainParts) ?? source));
}
write("public/llms.txt", llmsIndex(guides, collections, uses));

for (const collection of collections) {
  markdown.set(
    `reference/${collection.name}/index.md`,
    collectionMarkdown(collection, subjects.guidesOf(collection)),
  );
}
for (const use of uses) {
  markdown.set(`reference/schemas/${use.name}.md`, schemaMarkdown(use, components.schemas));
}
for (const [, path] of referenceTables) {
  const file = `reference/${path === "" || path.endsWith("/") ? `${path}index` : path}.md`;
  markdown.set(file, pageMarkdown(readFileSync(join(folder, file), "utf8")));
}
markdown.set("reference/schemas/index.md", schemasMarkdown(uses));
for (const [name, text] of markdown) write(`public/${name}`, text);
write("public/llms-full.txt", [...markdown.values()].join("\n"));
