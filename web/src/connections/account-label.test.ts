import { expect, test } from 'vitest'
import { accountLabel, hasReadableHandle } from './account-label.ts'

test.each([
  'ada',
  'belfry-square',
  'JohnSmith99',
  'Ada_Lovelace',
  'ada.bsky.social',
  'Ada@Example.social',
  'BBCNews',
  'tower1842',
])('guarantee: the handle %s is shown', (handle) => {
  expect(hasReadableHandle({ handle })).toBe(true)
  expect(accountLabel({ handle, displayName: 'Ada Ringer' })).toBe(`@${handle}`)
})

test.each(['782bbtaQ', 'yrZCpj2Z12', 'qWzRtYuIop', '-0xKb_3aQz', '2414183', '723f24d7-e717-40f8-a2b6-cb8464cd23b4'])(
  'guarantee: instead of the id %s, the display name is shown',
  (handle) => {
    expect(hasReadableHandle({ handle })).toBe(false)
    expect(accountLabel({ handle, displayName: 'Ada Ringer' })).toBe('Ada Ringer')
  },
)
