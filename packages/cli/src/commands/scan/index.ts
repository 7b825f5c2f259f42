import { existsSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Client } from "@security-platform/client";
import { Option, type Command } from "commander";
import {
  defaultImageLimits,
  ImageError,
  inventoryOf,
  parseImageName,
  readImage,
  type ImageContents,
} from "@security-platform/server/internal";
import { addConnectionOptions, connect } from "../../api/connection.ts";
import type { ConnectionOptions } from "../../api/resolve-connection.ts";
import { readChoice } from "../../options/read-choice.ts";
import { jsonOption } from "../../options/shared.ts";
import { readInteger } from "../../options/read-integer.ts";
import { describeError } from "../../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import { printable } from "../../terminal/printable.ts";
import { Progress } from "../../terminal/progress.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { version } from "../../version.ts";
import {
  describePolicy,
  describeReport,
  type PolicyResult,
  type Report,
} from "./describe-report.ts";

const formats = ["table", "json", "sarif", "cyclonedx"] as const;

const scopes = "the scopes container-cli:read, container-cli:write and container-image:read";
/** The platform matches all packages before it responds. */
const timeoutMilliseconds = 300_000;

interface ScanOptions extends ConnectionOptions {
  readonly format: (typeof formats)[number];
  readonly json?: boolean;
  readonly output?: string;
  readonly policy?: boolean;
  readonly name?: string;
  readonly image?: string;
  readonly platform?: string;
  readonly maxSize: number;
}

export function addScanCommand(program: Command, context: CliContext): void {
  const command = program
    .command("scan")
    .description(
      "Scan a container image for vulnerable packages, secrets and misconfigurations. The layers are read " +
        "on this machine. Only the inventory is sent: names and versions of packages, the configuration, and " +
        "the locations of secrets, but not the secrets.",
    )
    .argument("<image>", "an archive of docker save, or an OCI layout as a folder or a tar archive")
    .addOption(
      new Option("--format <format>", `output format: ${formats.join(", ")}`)
        .argParser(readChoice(formats))
        .default("table")
        .helpGroup("Output:"),
    )
    .addOption(jsonOption())
    .addOption(
      new Option("--output <file>", "write to a file instead of standard output").helpGroup(
        "Output:",
      ),
    )
    .option("--policy", "fail if an image policy denies the image")
    .option("--name <name>", "name of the image (default: the one in the file)")
    .option("--image <name>", "the image to scan, if the file contains several")
    .option("--platform <platform>", "os/architecture to scan (default: linux on this machine's)")
    .option(
      "--max-size <gibibytes>",
      "reject images whose unpacked layers are larger",
      readInteger(1, 10_000),
      defaultImageLimits.unpackedBytes / 2 ** 30,
    )
    .addHelpText(
      "after",
      `
Examples:
  docker save shop/checkout:4.2.0 -o checkout.tar && secplat scan checkout.tar --policy
  secplat scan build/oci --name registry.example.com/shop/checkout:4.2.0
  secplat scan checkout.tar --format sarif --output scan.sarif

Exit codes:
  ${exitCodes.success}  scanned; with --policy, no policy denies the image
  ${exitCodes.failure}  a policy denies the image
  ${exitCodes.usage}  the image could not be scanned; see standard error`,
    );
  addConnectionOptions(command, scopes).action(async (file: string, options: ScanOptions) => {
    try {
      await scan(file, options, context);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      const isTooLarge = error instanceof ImageError && error.limit === "unpackedBytes";
      throw cannotScan(`${describeError(error)}${isTooLarge ? "; --max-size allows more" : ""}`);
    }
  });
}

const cannotScan = (reason: string): CommandError =>
  new CommandError(`cannot scan the image: ${reason}`, exitCodes.usage);

async function scan(file: string, options: ScanOptions, context: CliContext): Promise<void> {
  const { stdout, stderr, workingFolder } = context;
  const path = resolve(workingFolder, file);
  if (!existsSync(path)) throw cannotScan(`there is no ${file}`);
  const client = connect(options, context, { timeoutMilliseconds });
  try {
    const contents = await read(path, options, context);
    for (const warning of contents.warnings) stderr.write(`secplat: ${printable(warning)}\n`);
    const name = options.name ?? contents.image.name ?? basename(file).replace(/\.(tar|oci)$/, "");
    const inventory = inventoryOf(contents, { name, version: version(), now: new Date() });
    const uuid = await send(client, inventory);
    const text = await reportOf(client, uuid, options, name);
    if (options.output === undefined) stdout.write(text);
    else writeFileSync(resolve(workingFolder, options.output), text);
    if (options.policy === true) await check(client, contents, name, context);
  } finally {
    await client.close();
  }
}

async function read(
  path: string,
  { image, platform, maxSize }: ScanOptions,
  { stderr }: CliContext,
): Promise<ImageContents> {
  const progress = new Progress(stderr, "reading bytes");
  try {
    return await readImage(path, {
      choice: {
        ...(image === undefined ? {} : { image }),
        ...(platform === undefined ? {} : { platform }),
      },
      limits: {
        ...defaultImageLimits,
        unpackedBytes: maxSize * 2 ** 30,
        layerBytes: maxSize * 2 ** 30,
      },
      onProgress: (done, total) => progress.update(done, total > 0 ? done / total : null),
    });
  } finally {
    progress.end();
  }
}

/** Sends the inventory with a new ticket. Returns the identifier of the scan. */
async function send(client: Client, inventory: ReturnType<typeof inventoryOf>): Promise<string> {
  const { response } = await client.container.createScanTicket();
  const ticket = response.headers.get("X-Scan-Ticket");
  if (ticket === null) throw cannotScan("the server gave no ticket for the inventory");
  const { data } = await client.container.createScan({ "X-Scan-Ticket": ticket, body: inventory });
  return data.resources.uuid;
}

const reportFormats = {
  json: "json",
  table: "json",
  sarif: "sarif",
  cyclonedx: "cyclonedx-json",
} as const;

async function reportOf(
  client: Client,
  uuid: string,
  { format, json }: ScanOptions,
  name: string,
): Promise<string> {
  const { data } = await client.container.getScanReport({
    uuid,
    report_format: json === true ? "json" : reportFormats[format],
  });
  if (json === true) return `${JSON.stringify(data)}\n`;
  return format === "table"
    ? describeReport(data as Report, name)
    : `${JSON.stringify(data, null, 2)}\n`;
}

/** Fails if the policies deny this image. */
async function check(
  client: Client,
  { image }: ImageContents,
  name: string,
  { stderr }: CliContext,
): Promise<void> {
  const { registry, repository, tag } = parseImageName(name);
  const { data } = await client.container.checkPolicies({
    repository,
    tag,
    ...(registry === "" ? {} : { registry }),
  });
  const results = data as readonly PolicyResult[];
  const own = results.find(
    (result) =>
      Reflect.get(result.image, "image_id") === image.manifest.config.digest &&
      Reflect.get(result.image, "image_digest") === image.digest,
  );
  if (own === undefined) throw cannotScan("the server has no policy result for the image");
  stderr.write(describePolicy(own));
  if (own.deny) throw new CommandError(`a policy denies ${name}`, exitCodes.failure);
}
