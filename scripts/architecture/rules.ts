import type { IRegularForbiddenRuleType } from "dependency-cruiser";
import { packages, rooms } from "./rooms.ts";

const server = "^packages/server/src/";
const sources = "^packages/[^/]+/src/";

/** A pattern of the files in some rooms of a folder. */
const inRooms = (folder: string, names: readonly string[]): string => {
  const each = names.map((name) =>
    name.endsWith(".ts") ? `${name.replace(".", "[.]")}$` : `${name}/`,
  );
  return `^${folder}/(?:${each.join("|")})`;
};

/** One for each room below the top: of `dialects`, without the rooms inside it that stand higher. */
const roomRules = Object.entries(rooms).flatMap(([folder, layers]) =>
  layers.flatMap((layer, height) =>
    layer.flatMap((room): readonly IRegularForbiddenRuleType[] => {
      const beside = layer.filter((other) => other !== room);
      const forbidden = [...layers.slice(0, height).flat(), ...beside];
      if (forbidden.length === 0) return [];
      const inside = forbidden.filter((other) => other.startsWith(`${room}/`));
      return [
        {
          name: `${folder}/${room} imports only lower rooms`,
          severity: "error",
          from: {
            path: inRooms(folder, [room]),
            ...(inside.length > 0 && { pathNot: inRooms(folder, inside) }),
          },
          to: { path: inRooms(folder, forbidden) },
        },
      ];
    }),
  ),
);

const forbid = (
  name: string,
  from: IRegularForbiddenRuleType["from"],
  to: IRegularForbiddenRuleType["to"],
): IRegularForbiddenRuleType =>
  ({ name, severity: "error", from, to }) as IRegularForbiddenRuleType;

/** Files without a layer, which could import anything. */
const unlisted = Object.entries(rooms).flatMap(([folder, layers]) => {
  const file = { path: `^${folder}/`, pathNot: inRooms(folder, layers.flat()) };
  return [
    forbid(`${folder}: every importing file has a layer`, file, {}),
    forbid(`${folder}: every imported file has a layer`, {}, file),
  ];
});

const packageRules = Object.entries(packages).map(([name, used]) =>
  forbid(
    `${name} imports only its declared packages`,
    { path: `^packages/${name}/src/` },
    { path: "^packages/", pathNot: `^packages/(?:${[name, ...used].join("|")})/` },
  ),
);

/** The sources that are published. The built files of the others contain what their sources import. */
const published = {
  path: "^packages/(?:fql|client|server|contract-tests|spec-gate)/src/|^packages/spec/src/(?:schemas/|[^/]+$)",
  // It writes programs.
  pathNot: "^packages/spec-gate/src/consumers/",
};

/** It opens database files that other programs wrote, not the platform's. */
const readsForeignDatabase = `${server}domain/container/images/packages/read-database-file[.]ts$`;

export const rules: IRegularForbiddenRuleType[] = [
  ...roomRules,
  ...unlisted,
  ...packageRules,
  forbid("no files import each other in a circle, types included", {}, { circular: true }),
  {
    name: "no folders import each other in a circle",
    severity: "error",
    scope: "folder",
    from: { path: sources },
    to: { circular: true },
  },
  forbid(
    "no collection imports another",
    { path: `${server}(domain|operations)/([^/]+)/` },
    { path: `${server}$1/[^/]+/`, pathNot: `${server}$1/$2/` },
  ),
  forbid(
    "other parts of the server import the store through its index.ts",
    { path: server, pathNot: `${server}store/` },
    {
      path: `${server}store/`,
      pathNot: `${server}store/(?:index|open-database|copy-database|inspect-database)[.]ts$`,
    },
  ),
  forbid(
    "only hosts open databases of Node.js",
    { path: server, pathNot: `${server}(?:store|host)/|${server}internal[.]ts$` },
    { path: `${server}store/(?:open|copy)-database[.]ts$` },
  ),
  forbid(
    "only http imports the HTTP framework",
    { path: server, pathNot: `${server}http/` },
    { path: "^node_modules/(?:fastify|@fastify/[^/]+)/" },
  ),
  forbid(
    "only the store imports SQL",
    { path: server, pathNot: `${server}store/|${readsForeignDatabase}` },
    { path: "^node_modules/pg/|^(?:node:)?sqlite$" },
  ),
  forbid("published sources import only dependencies", published, {
    dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "unknown"],
    dependencyTypesNot: ["npm-peer"],
    pathNot: "^packages/",
  }),
  forbid(
    "sources import no tests",
    { path: sources },
    { path: "/tests?/|[.]test[.]ts$|/src/testing/" },
  ),
];
