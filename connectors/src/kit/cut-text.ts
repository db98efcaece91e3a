/** The beginning of a text, in UTF-16 units. It never ends with half of a surrogate pair. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const last = text.charCodeAt(lengthMax - 1)
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHighSurrogate ? lengthMax - 1 : lengthMax)
}

/** For platforms that want a title: without one, the first line of the text; null if there is no text either. */
export function titleOf({ title, text }: { title: string | null; text: string }, lengthMax: number): string | null {
  if (title !== null && title.trim() !== '') return title
  const line = text.split('\n').find((each) => each.trim() !== '')
  return line === undefined ? null : cutText(line.trim(), lengthMax)
}

type TitleLimits = { lengthMin: number; lengthMax: number }

/** The title as one line, or the beginning of the text where a platform needs a title and there is none. It may still be too short. */
export function titleOrStart(
  { title, text }: { title: string | null; text: string },
  { lengthMin, lengthMax }: TitleLimits,
): string {
  const [chosen = '', start = ''] = [title, text].map((words) => (words ?? '').replaceAll(/\s+/g, ' ').trim())
  const firstLine = text.trim().split('\n', 1)[0]?.trim() ?? ''
  const found = chosen || (firstLine.length < lengthMin ? start : firstLine)
  const characters = [...found]
  return characters.length <= lengthMax
    ? found
    : `${characters
        .slice(0, lengthMax - 1)
        .join('')
        .trimEnd()}…`
}
