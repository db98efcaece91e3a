import { expect, test } from 'vitest'
import { accountLabel, accountNames, hasReadableHandle } from './account-label.ts'

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

test('guarantee: a list names accounts as people do, and adds the handle only to tell two of one platform apart', () => {
  const account = (id: string, platform: string, handle: string, displayName = 'Nordlicht Coffee') => ({
    id,
    platform,
    handle,
    displayName,
  })
  const names = accountNames([
    account('1', 'bluesky', 'nordlicht.example'),
    account('2', 'mastodon', 'nordlicht@one.example'),
    account('3', 'mastodon', 'nordlicht@two.example'),
    account('4', 'mastodon', 'ada@one.example', 'Ada Ringer'),
  ])
  expect([...names.values()]).toEqual([
    'Nordlicht Coffee',
    'Nordlicht Coffee (nordlicht@one.example)',
    'Nordlicht Coffee (nordlicht@two.example)',
    'Ada Ringer',
  ])
})
