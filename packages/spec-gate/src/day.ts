/** Whether a text is a day that the calendar has, such as 2030-12-31. */
export function isDay(text: string): boolean {
  const date = new Date(text);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(date.getTime()) &&
    date.toISOString().startsWith(text)
  );
}
