import type { Draft } from '../kit/connector.ts'
import { titleOrStart } from '../kit/cut-text.ts'
import { reject } from './errors.ts'

const limits = { lengthMin: 3, lengthMax: 200 }

/** Every post needs a title, of one line. */
export function titleOf(draft: Pick<Draft, 'title' | 'text'>): string {
  const title = titleOrStart(draft, limits)
  if ([...title].length < limits.lengthMin) throw reject('title_refused')
  return title
}
