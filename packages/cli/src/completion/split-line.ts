/**
 * The words of a command line up to the cursor, without quotes. The last one is being typed, and may be "".
 * `escape` is the character of the shell that takes the next one as it is.
 */
export function splitLine(line: string, escape: "\\" | "`"): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === escape && quote !== "'") {
      index += 1;
      word = (word ?? "") + line.charAt(index);
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + character;
    }
  }
  return [...words, word ?? ""];
}
