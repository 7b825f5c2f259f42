import { onMounted } from "vue";

/** Milliseconds for which a button says what happened. */
const shownFor = 2_000;

/** Buttons with `data-copy` copy its text; those with `data-copy-from` copy the file at this address. */
export function copyOnClick(): void {
  onMounted(() => document.addEventListener("click", (event) => void copy(event)));
}

async function copy({ target }: MouseEvent): Promise<void> {
  const button =
    target instanceof Element ? target.closest<HTMLElement>("[data-copy], [data-copy-from]") : null;
  if (button === null) return;
  const label = (button.dataset["label"] ??= button.textContent);
  button.textContent = await textOf(button.dataset).then(
    (text) =>
      navigator.clipboard.writeText(text).then(
        () => "Copied",
        () => "The browser refuses to copy",
      ),
    () => "The page could not be loaded",
  );
  setTimeout(() => {
    button.textContent = label;
  }, shownFor);
}

async function textOf({ copy: text, copyFrom: address = "" }: DOMStringMap): Promise<string> {
  if (text !== undefined) return text;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} has the status ${response.status}`);
  return response.text();
}
