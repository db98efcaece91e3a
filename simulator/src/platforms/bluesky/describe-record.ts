import { isFields, textOf, type Fields } from '../../http/fields.ts'
import type { Description } from '../../platform.ts'

/** Images and videos of the embed are shown as media, and facets are the links of the text. */
export function describeRecord({ embed }: Fields): Description {
  const external = isFields(embed) && isFields(embed['external']) ? embed['external'] : {}
  const url = textOf(external['uri'])
  const thumb = isFields(external['thumb']) && isFields(external['thumb']['ref']) ? external['thumb']['ref'] : {}
  const texts = { title: textOf(external['title']), description: textOf(external['description']) }
  const link = url === undefined ? undefined : { url, ...texts, picture: textOf(thumb['$link']) }
  return { link, hidden: ['$type', 'text', 'createdAt', 'facets', 'reply', 'embed'] }
}
