import { defineComponent, h, ref, type PropType } from "vue";
import { hasIds, replaceIds } from "../../../scripts/reference/existing-ids.ts";
import { pretty, type Form } from "./form.ts";
import { loadOperation, type OperationData } from "./operation-data.ts";
import { send } from "./send.ts";

/** A button that puts identifiers of existing records in the place of those of the examples. */
export const ExistingIds = defineComponent({
  name: "ExistingIds",
  props: {
    operation: { type: Object as PropType<OperationData>, required: true },
    form: { type: Object as PropType<Form>, required: true },
    /** Id of the operation that lists them. */
    list: { type: String, required: true },
  },
  setup({ operation, form, list }) {
    const isBusy = ref(false);
    const result = ref("");
    const insert = async (): Promise<void> => {
      if (isBusy.value) return;
      isBusy.value = true;
      result.value = "Looking for records …";
      try {
        const ids = await existingIds(list);
        if (ids.length > 0) insertIds(operation, form, ids);
        result.value =
          ids.length === 0
            ? "There are no records yet. Create one first."
            : "The form has identifiers of existing records now.";
      } catch (error) {
        result.value = (error as Error).message;
      } finally {
        isBusy.value = false;
      }
    };
    return () =>
      h("div", { class: "console-ids" }, [
        h(
          "button",
          {
            type: "button",
            class: "console-button",
            "aria-disabled": isBusy.value,
            onClick: insert,
          },
          "Use existing records",
        ),
        h("span", { role: "status" }, result.value || "The identifiers in this form are examples."),
      ]);
  },
});

/** Maximum number of identifiers that are inserted. */
const most = 5;

/** Identifiers of the first records of the target. */
async function existingIds(list: string): Promise<readonly string[]> {
  const operation = await loadOperation(list);
  const input = { query: { limit: most }, path: {}, headers: {}, body: null };
  const { status, text } = await send(operation, { input, text: null, files: {} });
  if (status !== 200) throw new Error(`${operation.id} responds with the status ${status}.`);
  const body = JSON.parse(text ?? "[]") as
    readonly string[] | { readonly resources?: readonly string[] | null };
  return ("resources" in body ? body.resources : (body as readonly string[])) ?? [];
}

function insertIds(
  { parameters, method }: OperationData,
  form: Form,
  ids: readonly string[],
): void {
  for (const { name, required, in: place } of parameters) {
    if (!hasIds(name) || !(required || place === "path")) continue;
    const count = Math.max(1, (form.texts[name] ?? "").split("\n").length);
    form.texts[name] = ids.slice(0, count).join("\n");
  }
  if (form.json === null) return;
  try {
    const { body, count } = replaceIds(JSON.parse(form.json.value), ids, {
      isUpdate: method === "patch",
    });
    if (count > 0) form.json.value = pretty(body);
  } catch {
    // The form already says that the body is not JSON.
  }
}
