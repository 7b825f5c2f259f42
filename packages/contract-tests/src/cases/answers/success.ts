import { getRequest, type Subject } from "../../recipes/recipe.ts";
import { newInputs, validRequests } from "../../recipes/happy-request.ts";
import type { JsonObject } from "../../requests/request.ts";
import { recordsOf, type Answer } from "../../target/answer.ts";
import type { CaseContext } from "../case-context.ts";
import { changeMarks, differences, equalValues, steady } from "../compare.ts";
import type { Generator } from "../generator.ts";

/**
 * Every valid request succeeds. Written values are read back; removed records are gone or marked as
 * removed.
 */
export const success: Generator = (operation, { conformance, recipes }) =>
  validRequests(conformance.contract, recipes, operation).map(({ name, build }) => ({
    operation,
    status: operation.successStatus,
    law: "answer",
    title: name === "" ? "a valid request" : `a valid request, ${name}`,
    needs: [],
    run: async (context) => {
      const subject = await context.own();
      const answer = await context.send(build(subject));
      context.needStatus(answer, operation.successStatus);
      await checkEffect(context, subject, answer);
    },
  }));

/** Written values are read back, and removed records are gone. */
export async function checkEffect(
  context: CaseContext,
  subject: Subject,
  answer: Answer,
): Promise<void> {
  const { resource, effect } = context.recipe;
  const lifecycle = resource === null ? null : context.run.recipes.resource(resource).lifecycle;
  if (resource === null || lifecycle === null) return;
  if (context.recipe.otherForm === true && effect !== "remove") return;
  switch (effect) {
    case "none":
      if (context.operation.id === lifecycle.get) await checkOrder(context, subject, resource);
      return;
    case "create": {
      const inputs = newInputs(lifecycle, subject.namespace);
      checkWritten(context, answer, inputs);
      await checkReadBack(context, resource, recordsOf(answer));
      return;
    }
    case "change": {
      const changed = lifecycle.change?.changed ?? {};
      checkChanged(context, answer, subject.records, changed);
      await checkReadBack(context, resource, recordsOf(answer));
      return;
    }
    case "remove": {
      const remaining = await get(context, resource, subject.records);
      if (lifecycle.removed !== undefined) {
        checkStay(context, remaining, subject.records, lifecycle.removed);
        return;
      }
      context.checkMissing(remaining, "records that were removed can still be read");
    }
  }
}

/** Removed records that remain readable are marked as removed. */
function checkStay(
  context: CaseContext,
  answer: Answer,
  before: readonly JsonObject[],
  removed: JsonObject,
): void {
  context.needStatus(answer, 200);
  const records = recordsOf(answer);
  context.need(answer, records.length === before.length, "wrong number of records", {
    expected: before.length,
    got: records.length,
  });
  for (const record of records) {
    for (const name of differences(removed, record, Object.keys(removed))) {
      context.fail(answer, `a removed record does not say so in ${name}`, {
        expected: removed[name],
        got: record[name],
      });
    }
  }
}

/** Records are in the order of the requested identifiers. */
async function checkOrder(context: CaseContext, subject: Subject, resource: string): Promise<void> {
  const reversed = subject.records.toReversed();
  const answer = await get(context, resource, reversed);
  const idsOf = (records: readonly JsonObject[]) =>
    records.map((record) => idIn(context, resource, record));
  const [expected, got] = [idsOf(reversed), idsOf(recordsOf(answer))];
  context.check(answer, equalValues(expected, got), "records are not in the order asked", {
    expected,
    got,
  });
}

function checkWritten(context: CaseContext, answer: Answer, inputs: readonly JsonObject[]): void {
  const records = recordsOf(answer);
  context.need(answer, records.length === inputs.length, "wrong number of records", {
    expected: inputs.length,
    got: records.length,
  });
  for (const [index, input] of inputs.entries()) {
    for (const name of differences(input, records[index] ?? {}, Object.keys(input))) {
      context.fail(answer, `record ${index} does not hold the ${name} that was sent`, {
        expected: input[name],
        got: records[index]?.[name],
      });
    }
  }
}

function checkChanged(
  context: CaseContext,
  answer: Answer,
  before: readonly JsonObject[],
  changed: JsonObject,
): void {
  const { resource } = context.recipe;
  const { restless = [] } = context.run.recipes.resource(resource ?? "");
  const byId = new Map(before.map((record) => [idIn(context, resource ?? "", record), record]));
  const records = recordsOf(answer);
  context.need(answer, records.length === before.length, "wrong number of records", {
    expected: before.length,
    got: records.length,
  });
  for (const after of records) {
    const earlier = byId.get(idIn(context, resource ?? "", after)) ?? {};
    const expected: JsonObject = { ...earlier, ...changed };
    const names = new Set([...Object.keys(expected), ...Object.keys(after)]);
    for (const name of restless) names.delete(name);
    for (const name of differences(expected, after, [...names])) {
      if (changeMarks.test(name) && !(name in changed)) continue;
      const message = name in changed ? `${name} was not changed` : `${name} changed, unasked`;
      context.fail(answer, message, { expected: expected[name], got: after[name] });
    }
  }
}

async function checkReadBack(
  context: CaseContext,
  resource: string,
  written: readonly JsonObject[],
): Promise<void> {
  const answer = await get(context, resource, written);
  context.needStatus(answer, 200);
  const read = recordsOf(answer);
  const recipe = context.run.recipes.resource(resource);
  context.check(
    answer,
    equalValues(steady(written, recipe), steady(read, recipe)),
    "reading gives something else than writing gave",
    {
      expected: written,
      got: read,
    },
  );
}

async function get(
  context: CaseContext,
  resource: string,
  records: readonly JsonObject[],
): Promise<Answer> {
  const { lifecycle } = context.run.recipes.resource(resource);
  if (lifecycle === null) throw new Error(`no operation gives ${resource} by id`);
  const ids = records.map((record) => idIn(context, resource, record));
  return context.send(getRequest(lifecycle, ids), {
    operation: context.operationById(lifecycle.get),
  });
}

const idIn = (context: CaseContext, resource: string, record: JsonObject): string =>
  String(record[context.run.recipes.resource(resource).idField]);
