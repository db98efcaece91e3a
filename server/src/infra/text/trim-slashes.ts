/** The text without the slashes at its end. A pattern such as `/\/+$/` takes quadratic time for a text full of slashes. */
export function trimSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
