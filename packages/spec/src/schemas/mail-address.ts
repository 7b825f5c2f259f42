/** A single address, without comments, lists or characters that could end a header. */
const addressPattern = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u;

/** Whether the text is a valid mail address. */
export const isMailAddress = (text: string): boolean => addressPattern.test(text);
