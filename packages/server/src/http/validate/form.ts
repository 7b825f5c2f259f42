import type { JsonSchema, ServedOperation } from "@security-platform/spec";
import { suggestion } from "@security-platform/spec/schemas";
import { errors, type Problem } from "../../foundation/errors.ts";
import type { UploadedFile } from "../../calls/call.ts";
import { valueReader } from "./query.ts";
import { resolved, schemaValidator } from "../../validation/schema-validator.ts";
import { textProblem } from "../../validation/texts.ts";

export const formMediaType = "multipart/form-data";

/** The received parts of a form, by name. */
export interface FormParts {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly files: ReadonlyMap<string, readonly UploadedFile[]>;
}

export interface ReadForm {
  readonly body: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, UploadedFile>>;
}

export interface FormReader {
  /** The members that are files. */
  readonly members: readonly string[];
  /** Converts text to the documented types. Throws 400 with all problems at once. */
  read(parts: FormParts): ReadForm;
}

/** Reads the forms of an operation; null for an operation that takes none. */
export function formReader({ requestBody }: ServedOperation): FormReader | null {
  const schema = requestBody?.content[formMediaType];
  if (schema === undefined) return null;
  const { properties = {}, required = [] } = resolved(schema) as {
    properties?: Readonly<Record<string, JsonSchema>>;
    required?: readonly string[];
  };
  const schemas = Object.entries(properties).map(([name, each]) => [name, resolved(each)] as const);
  const isFile = ([, { format }]: (typeof schemas)[number]): boolean => format === "binary";
  const fields = new Map(schemas.filter((member) => !isFile(member)));
  const files = new Map(schemas.filter(isFile));
  const validate = schemaValidator(
    {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(properties).filter(([name]) => fields.has(name)),
      ),
      required: required.filter((name) => fields.has(name)),
    },
    "body",
  );
  return {
    members: [...files.keys()],
    read: (parts) => {
      const text = readFields(parts, fields, files);
      const fileResult = keptFiles(parts, files, required);
      const problems = [
        ...unknownParts(parts, [...fields.keys(), ...files.keys()]),
        ...text.problems,
      ];
      const wrong = validate(text.values).filter(
        ({ at }) => !problems.some((problem) => problem.at === at),
      );
      const all = [...problems, ...wrong, ...fileResult.problems];
      if (all.length > 0) throw errors.invalidRequest(all);
      for (const [name, field] of fields) {
        if ("default" in field && !(name in text.values)) text.values[name] = field["default"];
      }
      return { body: text.values, files: fileResult.files };
    },
  };
}

type Schemas = ReadonlyMap<string, JsonSchema>;

function readFields(
  { fields: formFields, files: formFiles }: FormParts,
  fields: Schemas,
  files: Schemas,
): { readonly values: Record<string, unknown>; readonly problems: readonly Problem[] } {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [name, texts] of formFields) {
    const schema = fields.get(name);
    const at = `body.${name}`;
    if (schema === undefined) {
      if (files.has(name)) problems.push({ at, message: "expected a file, got a text" });
      continue;
    }
    const [only = ""] = texts;
    const unreadable = texts.map(textProblem).find((problem) => problem !== undefined);
    if (unreadable !== undefined) {
      problems.push({ at, message: unreadable });
      continue;
    }
    const read = valueReader(schema)(texts.length === 1 ? only : texts);
    if (read.problem !== undefined) problems.push({ at, message: read.problem });
    else values[name] = read.value;
  }
  for (const name of formFiles.keys()) {
    if (fields.has(name)) {
      problems.push({ at: `body.${name}`, message: "expected a text, got a file" });
    }
  }
  return { values, problems };
}

function keptFiles(
  { fields: texts, files: formFiles }: FormParts,
  schemas: Schemas,
  required: readonly string[],
): { readonly files: Record<string, UploadedFile>; readonly problems: readonly Problem[] } {
  const files: Record<string, UploadedFile> = {};
  const problems: Problem[] = [];
  for (const [name] of schemas) {
    const at = `body.${name}`;
    const [file, ...others] = formFiles.get(name) ?? [];
    if (file === undefined) {
      if (required.includes(name) && !texts.has(name))
        problems.push({ at, message: "is required" });
    } else if (others.length > 0) {
      problems.push({ at, message: `expected one file, got ${others.length + 1}` });
    } else if (file.bytes === 0) {
      problems.push({ at, message: "expected a file with content, got an empty one" });
    } else {
      const unreadable = textProblem(file.name) ?? textProblem(file.mediaType);
      if (unreadable === undefined) files[name] = file;
      else problems.push({ at, message: `its name ${unreadable}` });
    }
  }
  return { files, problems };
}

function unknownParts({ fields, files }: FormParts, known: readonly string[]): readonly Problem[] {
  return [...fields.keys(), ...files.keys()]
    .filter((name) => !known.includes(name))
    .map((name) => ({ at: `body.${name}`, message: `unknown field${suggestion(name, known)}` }));
}
