import { where } from "@security-platform/fql";
import { errors } from "../../../foundation/errors.ts";
import type { Handler } from "../../../calls/handler.ts";
import { type Records, servedPart } from "../../../store/index.ts";
import { eachOnce, getRecords } from "../../../records/get.ts";
import { snapshotNoun, templateSnapshots, type StoredSnapshot } from "../kinds/templates.ts";

/** Snapshots by id, or by template and version; 404 that names the missing ones. */
export const findSnapshots: Handler<"entities.template-snapshots.get.v1"> = async (call) => {
  const { ids, template_ids: templates, versions } = call.query;
  if (ids !== undefined) {
    for (const [name, value] of Object.entries({ template_ids: templates, versions })) {
      if (value !== undefined) refuse(name, "cannot be combined with ids; send one of them");
    }
    return getRecords(call, templateSnapshots, snapshotNoun, eachOnce(ids));
  }
  if (templates === undefined) return refuse("ids", "is required, unless template_ids is sent");
  if (versions !== undefined && versions.length !== templates.length) {
    const message = `expected ${templates.length} versions, one for each of template_ids, not ${versions.length}`;
    return refuse("versions", message);
  }
  const records = call.context.store.records(templateSnapshots, { cid: call.caller.cid });
  const snapshots = await Promise.all(
    templates.map((id, index) => findVersion(records, id, versions?.[index] ?? 0, call.now)),
  );
  const missing = templates.filter((_, index) => snapshots[index] === undefined);
  const texts = snapshots.flatMap((snapshot) =>
    snapshot === undefined ? [] : [JSON.stringify(servedPart(templateSnapshots, snapshot))],
  );
  if (missing.length > 0) {
    throw errors.recordsNotFound("the version of template", [...new Set(missing)], texts);
  }
  return { kind: "records", records: texts };
};

/** One version of a template; 0 is the newest. */
async function findVersion(
  records: Records<StoredSnapshot>,
  templateId: string,
  version: number,
  now: Date,
): Promise<StoredSnapshot | undefined> {
  const ofTemplate = where.equal("template_id", templateId);
  const { items } = await records.page({
    predicate: version === 0 ? ofTemplate : where.all(ofTemplate, where.equal("version", version)),
    sort: [{ field: "version", direction: "desc" }],
    limit: 1,
    shape: "ids",
    now,
  });
  return [...(await records.getComplete(items, now)).values()][0];
}

function refuse(member: string, message: string): never {
  throw errors.invalidRequest([{ at: `query.${member}`, message }]);
}
