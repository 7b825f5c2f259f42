import type { FuzzedServer } from "../server.ts";
import type { Target } from "../target.ts";
import { osvAdvisories } from "./advisories.ts";
import { settingsFiles, specificationTexts, tenantFolders } from "./documents.ts";
import { edge } from "./edge.ts";
import { yamlTemplates, zips } from "./files.ts";
import { tars } from "./images.ts";
import { filters, graphqlTarget, imageInventories, jsonBodies, pages } from "./operations.ts";
import { registryResponses, webhookResponses } from "./responses.ts";

/** Everything of the project that reads what others write. */
export const targetsOf = async (server: FuzzedServer): Promise<readonly Target[]> =>
  [
    edge(server),
    jsonBodies(server),
    filters(server),
    pages(server),
    graphqlTarget(server),
    await zips(server),
    yamlTemplates(server),
    imageInventories(server),
    osvAdvisories(),
    tars(),
    await registryResponses(),
    await webhookResponses(),
    tenantFolders(),
    settingsFiles(),
    specificationTexts(),
  ] as readonly Target[];
