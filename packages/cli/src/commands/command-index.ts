import type { Command } from "commander";
import type { CliContext } from "../terminal/cli-context.ts";

/** `words`: the command line after the name of the command, for commands that depend on it. */
export type AddCommand = (program: Command, context: CliContext, words?: readonly string[]) => void;

/** A command before its module is loaded. */
export interface CommandEntry {
  readonly name: string;
  /** One line for the help of the program. */
  readonly summary: string;
  readonly group: Group;
  /** Loads the module of the command, which may load much of the server. */
  readonly load: () => Promise<AddCommand>;
}

/** Headings of the program's help, in its order. */
export const groups = { run: "Run it:", use: "Use it:", manage: "Manage it:" } as const;

type Group = (typeof groups)[keyof typeof groups];

/** All commands in the order of the help. The help of the program needs only this. */
export const commandIndex: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "start the server",
    group: groups.run,
    load: async () => (await import("./serve/index.ts")).addServeCommand,
  },
  {
    name: "exec",
    summary: "run a program, such as a test suite, with a server of its own",
    group: groups.run,
    load: async () => (await import("./exec/index.ts")).addExecCommand,
  },
  {
    name: "seed",
    summary: "fill the database with a generated world",
    group: groups.run,
    load: async () => (await import("./seed.ts")).addSeedCommand,
  },
  {
    name: "import",
    summary: "import records from a file",
    group: groups.run,
    load: async () => (await import("./import.ts")).addImportCommand,
  },
  {
    name: "config",
    summary: "check and print the settings",
    group: groups.run,
    load: async () => (await import("./config/index.ts")).addConfigCommand,
  },
  {
    name: "backup",
    summary: "back up the database and the files, also while a server runs",
    group: groups.run,
    load: async () => (await import("./backup/back-up.ts")).addBackupCommand,
  },
  {
    name: "restore",
    summary: "restore a backup",
    group: groups.run,
    load: async () => (await import("./backup/restore.ts")).addRestoreCommand,
  },
  {
    name: "verify",
    summary: "check that a backup or a snapshot is whole",
    group: groups.run,
    load: async () => (await import("./backup/verify.ts")).addVerifyCommand,
  },
  {
    name: "snapshot",
    summary: "move all of a platform to another database",
    group: groups.run,
    load: async () => (await import("./snapshot/index.ts")).addSnapshotCommand,
  },
  {
    name: "migrate",
    summary: "bring the database to this version, or finish an upgrade",
    group: groups.run,
    load: async () => (await import("./migrate.ts")).addMigrateCommand,
  },
  {
    name: "trigrams",
    summary: "manage indexes for parts of texts on PostgreSQL",
    group: groups.run,
    load: async () => (await import("./trigrams/index.ts")).addTrigramsCommand,
  },
  {
    name: "doctor",
    summary: "check the installation, the data and the server",
    group: groups.run,
    load: async () => (await import("./doctor/index.ts")).addDoctorCommand,
  },
  {
    name: "open",
    summary: "open the documentation in the browser",
    group: groups.run,
    load: async () => (await import("./open.ts")).addOpenCommand,
  },
  {
    name: "dev",
    summary: "control a server that runs with --dev, for tests",
    group: groups.run,
    load: async () => (await import("./dev/index.ts")).addDevCommand,
  },
  {
    name: "completion",
    summary: "complete commands and values in a shell",
    group: groups.run,
    load: async () => (await import("./completion.ts")).addCompletionCommand,
  },
  {
    name: "login",
    summary: "store the URL and the credentials of a server",
    group: groups.use,
    load: async () => (await import("./login.ts")).addLoginCommand,
  },
  {
    name: "profile",
    summary: "list, choose and remove stored credentials",
    group: groups.use,
    load: async () => (await import("./profile/index.ts")).addProfileCommand,
  },
  {
    name: "call",
    summary: "call an operation by its id",
    group: groups.use,
    load: async () => (await import("./call.ts")).addCallCommand,
  },
  {
    name: "api",
    summary: "send a request of your own",
    group: groups.use,
    load: async () => (await import("./api.ts")).addApiCommand,
  },
  {
    name: "fql",
    summary: "check and explain filters",
    group: groups.use,
    load: async () => (await import("./fql/index.ts")).addFqlCommand,
  },
  {
    name: "mcp",
    summary: "serve the API to an assistant",
    group: groups.use,
    load: async () => (await import("./mcp/index.ts")).addMcpCommand,
  },
  {
    name: "scan",
    summary: "scan a container image",
    group: groups.use,
    load: async () => (await import("./scan/index.ts")).addScanCommand,
  },
  {
    name: "exports",
    summary: "export the results of image scans",
    group: groups.use,
    load: async () => (await import("./exports/index.ts")).addExportsCommand,
  },
  {
    name: "tenants",
    summary: "manage tenants",
    group: groups.manage,
    load: async () => (await import("./tenants/index.ts")).addTenantsCommand,
  },
  {
    name: "tenant",
    summary: "keep the configuration of a tenant in files",
    group: groups.manage,
    load: async () => (await import("./tenant/index.ts")).addTenantCommand,
  },
  {
    name: "clients",
    summary: "manage API clients",
    group: groups.manage,
    load: async () => (await import("./clients/index.ts")).addClientsCommand,
  },
  {
    name: "host-groups",
    summary: "list host groups, and change static groups",
    group: groups.manage,
    load: async () => (await import("./host-groups/index.ts")).addHostGroupsCommand,
  },
  {
    name: "users",
    summary: "set a password with the token in a mail",
    group: groups.manage,
    load: async () => (await import("./users/index.ts")).addUsersCommand,
  },
  {
    name: "invitations",
    summary: "manage invitations of users of other tenants",
    group: groups.manage,
    load: async () => (await import("./invitations/index.ts")).addInvitationsCommand,
  },
  {
    name: "outbox",
    summary: "show the mails sent by the platform",
    group: groups.manage,
    load: async () => (await import("./outbox.ts")).addOutboxCommand,
  },
  {
    name: "cases",
    summary: "manage files of cases",
    group: groups.manage,
    load: async () => (await import("./cases/index.ts")).addCasesCommand,
  },
  {
    name: "deliveries",
    summary: "manage notifications about cases",
    group: groups.manage,
    load: async () => (await import("./deliveries/index.ts")).addDeliveriesCommand,
  },
  {
    name: "jobs",
    summary: "manage background jobs",
    group: groups.manage,
    load: async () => (await import("./jobs/index.ts")).addJobsCommand,
  },
  {
    name: "access-tags",
    summary: "manage access tags",
    group: groups.manage,
    load: async () => (await import("./access-tags/index.ts")).addAccessTagsCommand,
  },
  {
    name: "keys",
    summary: "manage the keys that encrypt secrets",
    group: groups.manage,
    load: async () => (await import("./keys/index.ts")).addKeysCommand,
  },
  {
    name: "audit",
    summary: "show the audit trail",
    group: groups.manage,
    load: async () => (await import("./audit.ts")).addAuditCommand,
  },
];
