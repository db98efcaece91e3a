import { expect, test } from 'vitest'
import { comparePost } from './find.ts'

const link = 'https://carillon.example/'
const linked = (url: string) => ({ attachments: { data: [{ unshimmed_url: url }] } })
const bells = { format: 'text', text: 'Bells', linkUrl: null } as const

/** Guarantee: a post is ours for certain only if its words and its link are. */
test.for([
  [bells, { message: 'Bells' }, 'same'],
  [bells, { message: 'Towers' }, 'other'],
  [bells, { message: 'Bells', ...linked(link) }, 'maybe'],
  [{ ...bells, text: `Bells ${link}` }, { message: `Bells ${link}`, ...linked(link) }, 'same'],
  [{ ...bells, linkUrl: link }, { message: 'Bells', ...linked(link) }, 'same'],
  [{ ...bells, linkUrl: link }, { message: 'Bells', ...linked(`${link}2`) }, 'maybe'],
  [{ ...bells, linkUrl: link }, { message: 'Bells' }, 'maybe'],
  [{ ...bells, text: '', linkUrl: link }, linked(link), 'same'],
  [{ ...bells, format: 'photo', text: '' }, {}, 'maybe'],
  [{ ...bells, format: 'photo' }, { message: 'Bells' }, 'same'],
] as const)('%o / %o is %s', ([draft, shown, match]) => {
  expect(comparePost(draft, shown as Parameters<typeof comparePost>[1])).toBe(match)
})
