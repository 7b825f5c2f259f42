import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { json, jsonLanguage } from "@codemirror/lang-json";
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import { linter, type Diagnostic } from "@codemirror/lint";
import type { EditorState, Extension } from "@codemirror/state";
import type { JsonSchema } from "@security-platform/spec";
import type { Components, SchemaProblem } from "@security-platform/spec/schemas";
import type { SyntaxNode } from "@lezer/common";
import { propertiesOf, resolved, schemasAt, valuesOf } from "./schema-walk.ts";

type Path = SchemaProblem["path"];

/** JSON that a schema describes: completion of members and values, and problems where they are. */
export const jsonOf = (
  schema: JsonSchema,
  components: Components,
  problems: (text: string) => readonly SchemaProblem[],
): readonly Extension[] => [
  json(),
  jsonLanguage.data.of({ autocomplete: completer(schema, components) }),
  linter((view) => diagnostics(view.state, problems(view.state.doc.toString())), { delay: 200 }),
];

/** Milliseconds for parsing a large body. */
const patience = 1_000;

function diagnostics(state: EditorState, problems: readonly SchemaProblem[]): Diagnostic[] {
  const tree = ensureSyntaxTree(state, state.doc.length, patience) ?? syntaxTree(state);
  let broken: Diagnostic | null = null;
  tree.iterate({
    enter: ({ type, from, to }) => {
      if (!type.isError || broken !== null) return;
      broken = { from, to, severity: "error", message: "here the JSON is not complete" };
    },
  });
  if (broken !== null) return [broken];
  return problems.map(({ path, message }) => {
    const node = nodeAt(state, tree.topNode.firstChild, path);
    const { from, to } = markedPart(node);
    return { from, to, severity: "error", message };
  });
}

/**
 * The part of a value that is marked. Of an object or a list it is the bracket: a mark over many lines does not help.
 */
function markedPart(node: SyntaxNode | null): { readonly from: number; readonly to: number } {
  if (node === null) return { from: 0, to: 0 };
  const isLarge = node.name === "Object" || node.name === "Array";
  return { from: node.from, to: isLarge ? node.from + 1 : node.to };
}

const nameOf = (state: EditorState, property: SyntaxNode): string => {
  const name = property.getChild("PropertyName");
  if (name === null) return "";
  const text = state.sliceDoc(name.from, name.to);
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.replaceAll('"', "");
  }
};

const isPunctuation = ({ name }: SyntaxNode): boolean => /^[[\]{},:]$/.test(name);

const valuesIn = (list: SyntaxNode): readonly SyntaxNode[] =>
  childrenOf(list).filter((child) => !isPunctuation(child) && !child.type.isError);

function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child);
  return children;
}

/** The node of the value at a path, or of the innermost that exists. An unknown member is its name. */
function nodeAt(state: EditorState, root: SyntaxNode | null, path: Path): SyntaxNode | null {
  let node = root;
  for (const [index, step] of path.entries()) {
    if (node === null) return null;
    if (typeof step === "number") {
      node = valuesIn(node)[step] ?? node;
      continue;
    }
    const property = node.getChildren("Property").find((each) => nameOf(state, each) === step);
    if (property === undefined) return node;
    const isLast = index === path.length - 1;
    const value = valueOf(property);
    node = isLast && value === null ? property.getChild("PropertyName") : (value ?? property);
  }
  return node;
}

const valueOf = (property: SyntaxNode): SyntaxNode | null => {
  const value = property.lastChild;
  return value === null || value.name === "PropertyName" || isPunctuation(value) ? null : value;
};

/** The path of the object or list around a node. */
function pathTo(state: EditorState, node: SyntaxNode): Path {
  const path: (string | number)[] = [];
  for (let inside = node, above = node.parent; above !== null; above = above.parent) {
    if (above.name === "Property" && inside.name !== "PropertyName")
      path.unshift(nameOf(state, above));
    if (above.name === "Array") {
      const index = valuesIn(above).findIndex(({ to }) => to >= inside.to);
      path.unshift(index === -1 ? valuesIn(above).length : index);
    }
    inside = above;
  }
  return path;
}

function completer(schema: JsonSchema, components: Components) {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const before = syntaxTree(state).resolveInner(pos, -1);
    const isName =
      before.name === "PropertyName" || before.name === "Object" || before.name === "{";
    const isOpenString = before.name === "String" || before.name === "PropertyName";
    const text = state.sliceDoc(before.from, pos);
    const from = isOpenString || /^[\w"-]+$/.test(text) ? before.from : pos;
    if (
      from === pos &&
      !explicit &&
      !/[{,:[]\s*$/.test(state.sliceDoc(Math.max(0, pos - 20), pos))
    ) {
      return null;
    }
    // What follows a colon is a value, although the tree has no node for it yet.
    const afterColon = /:\s*(?:"?[\w-]*)$/.test(state.sliceDoc(Math.max(0, from - 80), pos));
    const options =
      isName && !afterColon
        ? memberOptions(state, before, schema, components)
        : valueOptions(state, before, pos, schema, components);
    if (options.length === 0) return null;
    const to = isOpenString ? before.to : pos;
    return { from, to, options: [...options], validFor: /^"?[\w.-]*"?$/ };
  };
}

function memberOptions(
  state: EditorState,
  node: SyntaxNode,
  schema: JsonSchema,
  components: Components,
): readonly Completion[] {
  const object = node.name === "Object" ? node : enclosing(node, "Object");
  if (object === null) return [];
  const present = new Set(object.getChildren("Property").map((each) => nameOf(state, each)));
  const isNew =
    node.name !== "PropertyName" || node.nextSibling === null || node.nextSibling.type.isError;
  return schemasAt(schema, components, pathTo(state, object)).flatMap((each) => {
    const required = (each["required"] ?? []) as readonly string[];
    return Object.entries(propertiesOf(each))
      .filter(
        ([name, member]) => !present.has(name) && resolved(member, components)["readOnly"] !== true,
      )
      .map(([name, member]) => {
        const own = resolved(member, components);
        const { description, type } = own;
        const shape = type === "object" ? "{}" : type === "array" ? "[]" : "";
        return {
          label: `"${name}"`,
          apply: isNew ? `"${name}": ${shape}` : `"${name}"`,
          detail: `${String(type ?? "")}${required.includes(name) ? ", required" : ""}`,
          boost: required.includes(name) ? 1 : 0,
          ...(typeof description === "string" && { info: description }),
        };
      });
  });
}

function valueOptions(
  state: EditorState,
  node: SyntaxNode,
  pos: number,
  schema: JsonSchema,
  components: Components,
): readonly Completion[] {
  const property = node.name === "Property" ? node : enclosing(node, "Property");
  const list = node.name === "Array" ? node : enclosing(node, "Array");
  const isInList = list !== null && (property === null || list.from > property.from);
  const path = isInList
    ? [...pathTo(state, list), valuesIn(list).filter(({ to }) => to < pos).length]
    : property === null
      ? []
      : [...pathTo(state, property), nameOf(state, property)];
  return schemasAt(schema, components, path)
    .flatMap((each) => valuesOf(each))
    .map((value) => ({ label: JSON.stringify(value), type: "constant" }));
}

function enclosing(node: SyntaxNode, name: string): SyntaxNode | null {
  for (let above = node.parent; above !== null; above = above.parent) {
    if (above.name === name) return above;
  }
  return null;
}
