import { codeToHtml } from "shiki";
import { expect, test } from "vitest";
import { codeColorStyles, codeThemes, colorsAsClasses, everyLineColored } from "./code-colors.ts";

const samples = {
  bash: `# A comment\ncurl -s "$BASE_URL/a" \\\n  -d @- <<'JSON'\n{ "a": [1, null, true] }\nJSON\n`,
  json: `{ "name": "a \\n", "list": [1, 2.5, null, false] }`,
  ts: "import { a } from 'b';\nconst f = async (x: number): Promise<string> => `${x} ${/a+/.exec(\"a\")}`; // why\n",
  python: "def f(a: int) -> str:\n    return f'{a!r}' if a > 1 else None\n",
  go: 'package main\n\nfunc main() { x := map[string]int{"a": 1}; _ = x }\n',
  yaml: "a: &b\n  - 1\n  - 'text' # why\n",
  html: '<!doctype html><a href="/x" data-y>text &amp; more</a>\n',
};

const declarationsOf = (text: string): readonly (readonly [string, string])[] =>
  [...text.matchAll(/(--shiki-[\w-]+):\s*([^;"} ]+)/g)].map(([, name = "", value = ""]) => [
    name,
    value.toUpperCase(),
  ]);

const rules = new Map(
  [...codeColorStyles().matchAll(/^\.vp-code(?: \.(\w+))? \{(.*)\}$/gm)].map(
    ([, name = "", text = ""]) => [name, declarationsOf(text)],
  ),
);

/** Each character with what the style sheet and its elements declare, the innermost last. */
function declaredFor(html: string): readonly string[] {
  const around: (readonly (readonly [string, string])[])[] = [rules.get("") ?? []];
  const characters: string[] = [];
  for (const [part] of html.matchAll(/<[^>]*>|&[^;]*;|[^<]/g)) {
    if (part.startsWith("</")) around.pop();
    else if (/^<[a-z]/.test(part)) {
      const [, names = ""] = / class="([^"]*)"/.exec(part) ?? [];
      const [, style = ""] = / style="([^"]*)"/.exec(part) ?? [];
      const isBlock = part.startsWith("<pre");
      around.push(
        isBlock
          ? []
          : [
              ...names.split(" ").flatMap((name) => rules.get(name) ?? []),
              ...declarationsOf(style),
            ],
      );
    } else if (part.trim() !== "") {
      characters.push(`${part} ${JSON.stringify(Object.fromEntries(around.flat()))}`);
    }
  }
  return characters;
}

test.each(Object.entries(samples))(
  "code in %s has the colours of the themes",
  async (lang, code) => {
    const options = { lang, themes: codeThemes, defaultColor: false, ...everyLineColored } as const;
    const expected = await codeToHtml(code, options);
    const found = await codeToHtml(code, { ...options, transformers: [colorsAsClasses] });
    expect(found).not.toMatch(/<span[^>]* style="--shiki-(?:light|dark):/);
    expect(declaredFor(found)).toEqual(declaredFor(expected));
    expect(found.length).toBeLessThan(expected.length);
  },
);
