import { openAccount } from '@carillon/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWatchedStack, type WatchedStack } from './start-watched-stack.fixture.ts'

/** Each fault of a platform raises its alerts and no others. */
let watched: WatchedStack

beforeAll(async () => {
  watched = await startWatchedStack('platforms')
})
afterAll(() => watched?.stop())

test('a platform that is down: it is named, and posts wait', async () => {
  await watched.addFault({ platform: 'mastodon', operation: 'any', fault: { kind: 'status', status: 503 } })
  await watched.createPosts(12)
  expect(await watched.waitForAlerts(['CarillonPlatformFailing'], { besides: ['CarillonPostsOverdue'] })).toEqual([])
  await watched.removeFaults()
  expect(await watched.waitForQuiet()).toEqual([])
})

test('a platform that loses an answer and cannot tell: the very first unconfirmed post is noticed', async () => {
  await watched.createPosts(1, [watched.stack.info.unconfirmedConnection])
  expect(await watched.waitForAlerts(['CarillonPostsUnconfirmed'])).toEqual([])
  expect(await watched.waitForQuiet()).toEqual([])
})

test('a platform that withdraws the tokens of many accounts: renewals fail and accounts are lost', async () => {
  const { stack } = watched
  const { workspaceId, simulatorUrl } = stack.info
  const handles = Array.from({ length: 12 }, (_, n) => `withdrawn-${n}`)
  const accounts = await Promise.all(handles.map((handle) => openAccount(simulatorUrl, 'x', handle)))
  const made = await stack.run(['connect', '--json', '--workspace', workspaceId], JSON.stringify(accounts))
  const slugs = (made as { slug: string }[]).map(({ slug }) => slug)
  for (const handle of handles) await watched.control('/tokens/revoke', { platform: 'x', handle })
  await watched.createPosts(1, slugs)
  const alerts = ['CarillonRenewalsFailing', 'CarillonAccountsLost']
  expect(await watched.waitForAlerts(alerts)).toEqual([])
})
