import type { Finding } from "../change.ts";
import type { AdditionalChange } from "../gate.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import { affectedBy } from "../rules/rule.ts";
import { compileClient, type CompileError } from "./compile.ts";
import { clientStatements } from "./statements.ts";
import { unseenNotes } from "./unseen.ts";

/**
 * Type-checks a client of the base against the revision, and compares its errors with the changes.
 * An error that no breaking change explains is reported as a breaking change. A breaking change
 * that causes no compile error is explained in a note.
 */
export async function checkConsumers(
  base: LoadedDocument,
  revision: LoadedDocument,
  changes: readonly Finding[],
): Promise<AdditionalChange> {
  const statements = clientStatements(base, revision);
  const errors = await compileClient(base, revision, statements);
  const breaking = changes.filter(({ verdict }) => verdict === "major");
  const explained = new Set<Finding>();
  const unexplained: CompileError[] = [];
  for (const error of errors) {
    const { operation, direction } = error.statement;
    const causes = breaking.filter(
      (change) => change.direction === direction && change.operations.includes(operation),
    );
    for (const cause of causes) explained.add(cause);
    if (causes.length === 0) unexplained.push(error);
  }
  return {
    changes: unexplained.map(findingOf),
    notes: notesOf(statements.length, errors, breaking, explained),
  };
}

function findingOf({ statement, message }: CompileError): Finding {
  const { operation, direction, pointer, use } = statement;
  const short = message.length > 300 ? `${message.slice(0, 297)}…` : message;
  return {
    rule: "consumer-does-not-compile",
    verdict: "major",
    direction,
    place: `${operation} ${pointer}`,
    message: `a client that ${use} no longer compiles: ${short}`,
    affects: affectedBy("major", direction),
    operations: [operation],
    pointer,
    document: "base",
  };
}

function notesOf(
  statements: number,
  errors: readonly CompileError[],
  breaking: readonly Finding[],
  explained: ReadonlySet<Finding>,
): readonly string[] {
  const notes = [
    `a client of the old document uses ${statements} places of it; ${errors.length} do not compile against the new types`,
  ];
  return [...notes, ...unseenNotes(breaking.filter((change) => !explained.has(change)))];
}
