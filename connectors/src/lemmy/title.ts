import type { Draft } from '../kit/connector.ts'
import { reject } from './errors.ts'

const lengthMin = 3
const lengthMax = 200

/** Every post needs a title, of one line. Without one it is the beginning of the text. */
export function titleOf({ title, text }: Pick<Draft, 'title' | 'text'>): string {
  const [chosen = '', start = ''] = [title, text].map((words) => (words ?? '').replaceAll(/\s+/g, ' ').trim())
  const firstLine = text.trim().split('\n', 1)[0]?.trim() ?? ''
  const found = chosen || (firstLine.length < lengthMin ? start : firstLine)
  const characters = [...found]
  if (characters.length < lengthMin) throw reject('title_refused')
  return characters.length <= lengthMax
    ? found
    : `${characters
        .slice(0, lengthMax - 1)
        .join('')
        .trimEnd()}…`
}
