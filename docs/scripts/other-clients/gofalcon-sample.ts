import type { Operation } from "@security-platform/spec";
import { sampleInput, type SampleBody } from "../reference/sample-input.ts";
import { otherCalls, type GofalconCall } from "./calls.ts";

/**
 * A complete Go program that calls the operation by gofalcon. Null if gofalcon does not have it, or lacks a
 * parameter of the sample.
 */
export function gofalconSample(operation: Operation): string | null {
  const { gofalcon } = otherCalls(operation.id);
  if (gofalcon === undefined || gofalcon.writer) return null;
  const input = sampleInput(operation);
  const program = new Program(gofalcon);
  const fitting =
    program.addParameters({ ...input.path, ...input.query, ...input.headers }) &&
    program.addBody(input.body);
  return fitting ? program.source() : null;
}

const own = new Set(["client_id", "client_secret"]);

class Program {
  readonly #call: GofalconCall;
  readonly #statements: string[] = [];
  readonly #fields: string[] = ["Context: context.Background(),"];
  readonly #imports = new Set(["context", "log", "os", "strings"]);

  constructor(call: GofalconCall) {
    this.#call = call;
  }

  /** False if a parameter has no field. */
  addParameters(values: Readonly<Record<string, unknown>>): boolean {
    return Object.entries(values).every(([name, value]) => this.#addField(name, value, false));
  }

  /** False if a member of a form has no field. */
  addBody(body: SampleBody | null): boolean {
    if (body === null) return true;
    const type = this.#call.parameters["Body"];
    if (type === undefined) {
      const members = Object.entries(body.value as object).filter(([name]) => !own.has(name));
      return members.every(([name, value]) =>
        this.#addField(name, value, body.files.includes(name)),
      );
    }
    this.#imports.add("encoding/json");
    if (type.includes("models."))
      this.#imports.add("github.com/crowdstrike/gofalcon/falcon/models");
    const isPointer = type.startsWith("*");
    this.#statements.push(
      `var body ${isPointer ? type.slice(1) : type}`,
      `if err := json.Unmarshal([]byte(${text(JSON.stringify(body.value, null, 2))}), &body); err != nil {`,
      "\tlog.Fatal(err)",
      "}",
    );
    this.#fields.push(`Body: ${isPointer ? "&" : ""}body,`);
    return true;
  }

  #addField(name: string, value: unknown, isFile: boolean): boolean {
    const [field, type] =
      Object.entries(this.#call.parameters).find(([each]) => letters(each) === letters(name)) ?? [];
    if (field === undefined || type === undefined) return false;
    if (isFile) {
      if (type !== "runtime.NamedReadCloser") return false;
      this.#imports.add("github.com/go-openapi/runtime").add("strings");
      this.#fields.push(
        `${field}: runtime.NamedReader("example.txt", strings.NewReader(${text(String(value))})),`,
      );
      return true;
    }
    const source = valueSource(type.replace("*", ""), value);
    if (source === null) return false;
    if (!type.startsWith("*")) {
      this.#fields.push(`${field}: ${source},`);
      return true;
    }
    const variable = reserved.has(name) ? `${name}Value` : camelCase(name);
    this.#statements.push(`${variable} := ${source}`);
    this.#fields.push(`${field}: &${variable},`);
    return true;
  }

  source(): string {
    const { member, package: name, method, results, payload } = this.#call;
    this.#imports.add(`github.com/crowdstrike/gofalcon/falcon`);
    this.#imports.add(`github.com/crowdstrike/gofalcon/falcon/client/${name}`);
    if (payload) this.#imports.add("encoding/json");
    else this.#imports.add("fmt");
    const names = ["response", ...Array.from({ length: results - 1 }, () => "_"), "err"];
    const body = [
      "client, err := falcon.NewClient(&falcon.ApiConfig{",
      '\tClientId:     os.Getenv("CLIENT_ID"),',
      '\tClientSecret: os.Getenv("CLIENT_SECRET"),',
      '\tCloud:        falcon.Cloud("us-1"),',
      '\tHostOverride: strings.TrimPrefix(os.Getenv("BASE_URL"), "https://"),',
      "\tContext:      context.Background(),",
      "})",
      ...failure,
      ...this.#statements,
      `${names.join(", ")} := client.${member}.${method}(&${name}.${method}Params{`,
      ...aligned(this.#fields).map((line) => `\t${line}`),
      "})",
      ...failure,
      ...(payload
        ? ["json.NewEncoder(os.Stdout).Encode(response.Payload)"]
        : ["fmt.Println(response)"]),
    ];
    const lines = body.flatMap(indented);
    return ["package main", "", ...this.#importLines(), "", "func main() {", ...lines, "}"].join(
      "\n",
    );
  }

  #importLines(): readonly string[] {
    const [external, standard] = [true, false].map((isExternal) =>
      [...this.#imports]
        .filter((name) => name.includes(".") === isExternal)
        .toSorted()
        .map((name) => `\t${JSON.stringify(name)}`),
    );
    return ["import (", ...(standard ?? []), "", ...(external ?? []), ")"];
  }
}

const failure = ["if err != nil {", "\tlog.Fatal(err)", "}"];

/** Indents what is outside raw strings, which keep their lines. */
function indented(statement: string): readonly string[] {
  const [first = "", ...rest] = statement.split("\n");
  return [`\t${first}`, ...rest];
}

/** gofmt aligns the values of neighbouring one-line fields. */
function aligned(fields: readonly string[]): readonly string[] {
  const longest = Math.max(...fields.map((field) => field.indexOf(":")));
  return fields.map((field) => {
    const colon = field.indexOf(":");
    return `${field.slice(0, colon + 1)}${" ".repeat(longest - colon)}${field.slice(colon + 1)}`;
  });
}

/** Go has no literals for values of other types. */
function valueSource(type: string, value: unknown): string | null {
  if (type === "string" && typeof value === "string") return text(value);
  if (type === "bool" && typeof value === "boolean") return String(value);
  if (type === "int64" && typeof value === "number") return `int64(${value})`;
  if (type === "[]string") {
    return `[]string{${[value]
      .flat()
      .map((each) => text(String(each)))
      .join(", ")}}`;
  }
  return null;
}

const text = (value: string): string =>
  value.includes("\n") && !value.includes("`") ? `\`${value}\`` : JSON.stringify(value);

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

const camelCase = (name: string): string =>
  name.replaceAll(/[-_.](\w)/g, (_, letter: string) => letter.toUpperCase());

const reserved = new Set(["type", "range", "map", "func", "package", "client", "response", "body"]);
