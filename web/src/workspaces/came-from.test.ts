import { expect, test } from 'vitest'
import { cameFrom, noteLeft, panelBefore } from './came-from.ts'

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

test('guarantee: what was edited from the panel leads back to it, and to no panel with another post', () => {
  leave('/w/1/calendar?view=week&post=5')
  leave('/w/1/compose?draft=5')
  leave('/w/1/compose?draft=5')
  expect(panelBefore('1', '5')).toBe('/w/1/calendar?view=week&post=5')
  expect(panelBefore('1', '6')).toBeNull()
  expect(panelBefore('2', '5')).toBeNull()
  // From its page it leads back to its page.
  leave('/w/1/posts/5')
  expect(panelBefore('1', '5')).toBeNull()
  // An id of digits alone stands in quotation marks in the address.
  leave('/w/1/posts?post=%2212%22')
  expect(panelBefore('1', '12')).toBe('/w/1/posts?post=%2212%22')
})
