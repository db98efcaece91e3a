import { expect, test } from 'vitest'
import { cameFrom, noteLeft } from './came-from.ts'

const leave = (href: string) => noteLeft({ href, pathname: href.split('?')[0] ?? '' })

test('guarantee: the way back leads to the page that was left, as it was, and over edits of the post', () => {
  leave('/w/1/calendar?month=2027-03')
  leave('/w/1/posts/5')
  leave('/w/1/compose?draft=5')
  expect(cameFrom('1')).toEqual({ place: 'calendar', href: '/w/1/calendar?month=2027-03' })
  leave('/w/1/posts?status=failed')
  expect(cameFrom('1')).toEqual({ place: 'posts', href: '/w/1/posts?status=failed' })
})

test('there is no way back into another workspace, nor over a page that lists no posts', () => {
  leave('/w/1/calendar')
  expect(cameFrom('2')).toBeNull()
  leave('/w/1/settings/audit')
  expect(cameFrom('1')).toBeNull()
})
