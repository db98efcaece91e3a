import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Capabilities, Connection, Platform, Verdict } from '@carillon/contract'
import { startSimulator } from '@carillon/simulator'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { PostApi } from '../../posts/post-api.fixture.ts'
import { addConnections } from '../add-connections.ts'
import { connectionRoutes } from '../connection.routes.ts'
import { findCapabilities } from './capability.store.ts'

/**
 * Guarantee: what one account may do is read from its platform, kept for as long as the platform's answers last, and shown to nobody but its
 * workspace. A platform that does not answer costs nothing but the answer.
 */
let folder: string
let api: PostApi
let simulator: Awaited<ReturnType<typeof startSimulator>>
let aheadMs = 0

const platforms: readonly Platform[] = ['bluesky', 'linkedin', 'mastodon', 'pinterest', 'tiktok', 'x']

beforeAll(async () => {
  simulator = await startSimulator()
  folder = await mkdtemp(join(tmpdir(), 'carillon-capabilities-'))
  const origins = Object.fromEntries(platforms.map((name) => [name, `${simulator.url}/${name}`]))
  const noHooks = { beforeRemoval: () => Promise.resolve(), afterReconnect: () => Promise.resolve() }
  api = await PostApi.start(folder, {
    routes: [connectionRoutes(noHooks)],
    env: { CARILLON_PLATFORM_ORIGINS: JSON.stringify(origins), CARILLON_EGRESS_ALLOW: '127.0.0.0/8' },
  })
  vi.spyOn(api.ctx, 'nowMs').mockImplementation(() => Date.now() + aheadMs)
}, 60_000)

beforeEach(() => {
  aheadMs = 0
})

afterAll(async () => {
  await api.stop()
  await simulator.close()
  await rm(folder, { recursive: true })
})

async function control<T>(method: string, path: string, body?: object): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${simulator.url}/_control${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  return (await response.json()) as T
}

type Opened = { account: { id: string; handle: string }; credentials: { accessToken: string } }

async function connect(platform: Platform, handle: string, scopes?: string[]): Promise<{ id: string; slug: string }> {
  const { account, credentials } = await control<Opened>('POST', '/accounts', { platform, handle })
  const [made] = await addConnections(api.ctx, api.workspaceId, [
    { platform, handle, accountId: account.id, credentials: { ...credentials, ...(scopes && { scopes }) } },
  ])
  if (!made) throw new Error('no connection was made')
  return made
}

const read = (id: string) => api.send<Capabilities>('GET', `/connections/${id}/capabilities`)
const learn = async (platform: Platform, handle: string, scopes?: string[]) => {
  const made = await connect(platform, handle, scopes)
  return { ...made, ...(await read(made.id)).data }
}
const callsTo = async (platform: Platform, operation: string) => {
  const { calls } = await control<{ calls: { platform: string; operation: string; count: number }[] }>('GET', '/calls')
  return calls.find((each) => each.platform === platform && each.operation === operation)?.count ?? 0
}

test('a platform whose accounts are all alike has nothing to learn', async () => {
  const { learnedAt, isCurrent, differs, text } = await learn('bluesky', 'tower.example')
  expect({ learnedAt, isCurrent, differs, max: text.max }).toEqual({ learnedAt: null, isCurrent: true, differs: [], max: 300 })
})

test('the servers of Mastodon say what they take', async () => {
  expect(await learn('mastodon', 'roomy-ringer')).toMatchObject({ text: { max: 5000, linkCost: 23 } })
  expect(await learn('mastodon', 'terse-ringer')).toMatchObject({
    differs: expect.arrayContaining(['text.max', 'text.linkCost']),
    text: { max: 300, linkCost: 30 },
    learnedAt: expect.stringMatching(/Z$/),
    isCurrent: true,
  })
  const usual = await learn('mastodon', 'ringer')
  expect(usual).toMatchObject({ text: { max: 500 }, altText: { max: 1500 } })
})

test('a server with an older API is asked by the older address', async () => {
  expect(await learn('mastodon', 'old-ringer')).toMatchObject({ differs: ['text.max'], text: { max: 1000 } })
})

test('GoToSocial counts plainly, and limits that it does not have are no limits', async () => {
  const found = await learn('mastodon', 'gotosocial-ringer')
  expect(found.text).toMatchObject({ max: 5000, counting: 'codepoints', linkCost: null, shortMentions: false })
  expect(found.photos).toMatchObject({ max: 6, pixelsMax: 33_177_600 })
  expect(found.photos?.mimeTypes).toEqual(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
})

test('a server that does not recognise a repeated request is known', async () => {
  const handleOf = async (handle: string) => {
    const { id } = await learn('mastodon', handle)
    const stored = await findCapabilities(api.ctx.db.system, { workspaceId: api.workspaceId, id })
    return stored?.capabilities?.rules.handle
  }
  expect(await handleOf('ringer-of-keys')).toBeUndefined()
  expect(await handleOf('gotosocial-keys')).toBe('readback')
  expect(await handleOf('pixelfed-keys')).toBe('readback')
})

test('Pixelfed takes no text alone, no video of a kind that it does not name, and no post for the people mentioned', async () => {
  const found = await learn('mastodon', 'pixelfed-ringer')
  expect(found.formats).toEqual(['photo', 'photo_carousel'])
  expect(found.choices).toEqual({ visibility: ['public', 'unlisted', 'private'] })
  expect(found).toMatchObject({ altText: { max: 1000 }, photos: { bytesMax: 15_000_000 }, text: { alone: false } })
})

test('a verified account of X has more', async () => {
  expect(await learn('x', 'verified-tower')).toMatchObject({ text: { max: 25_000 }, video: { secondsMax: 7500 } })
  expect(await learn('x', 'tower')).toMatchObject({ differs: [], text: { max: 280 } })
})

test('a page of LinkedIn has no connections, and comments need their own permission', async () => {
  const page = await learn('linkedin', 'company-tower', ['w_organization_social', 'w_organization_social_feed'])
  expect(page).toMatchObject({ choices: { visibility: ['PUBLIC', 'LOGGED_IN'] }, can: { firstComment: true } })
  const person = await learn('linkedin', 'ringer', ['openid', 'profile', 'w_member_social'])
  expect(person).toMatchObject({ choices: {}, can: { firstComment: false }, differs: ['can.firstComment'] })
  expect(await learn('linkedin', 'unknown-scopes')).toMatchObject({ can: { firstComment: true } })
})

test('TikTok says who may see a post, what its author allows and how long a video may be', async () => {
  const found = await learn('tiktok', 'strict-tower')
  expect(found.choices).toEqual({
    privacyLevel: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
    allowComments: [false],
    allowDuets: [false],
    allowStitches: [false],
  })
  expect(found).toMatchObject({ name: 'Strict tower', video: { secondsMax: 60 }, blocked: null })
  const { choices } = await learn('tiktok', 'private-tower')
  expect(choices).toEqual({ privacyLevel: ['MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'] })
})

test('an account that cannot post at the moment says so, until it can', async () => {
  const { id, blocked } = await learn('tiktok', 'busy-tower')
  expect(blocked).toEqual({ reason: 'day_limit', message: expect.stringContaining('no more posts') })
  await control('POST', '/faults', { platform: 'tiktok', handle: 'busy-tower', fault: { kind: 'status', status: 500 } })
  aheadMs += 60_000
  expect((await read(id)).data).toMatchObject({ blocked: null, isCurrent: false })
})

test('an answer is used again for as long as it lasts, and asked for again after that', async () => {
  const before = await callsTo('mastodon', 'other')
  const { id, learnedAt } = await learn('mastodon', 'terse-again')
  expect((await read(id)).data.learnedAt).toBe(learnedAt)
  expect(await callsTo('mastodon', 'other')).toBe(before + 1)
  aheadMs += 2 * 86_400_000
  const later = (await read(id)).data
  expect(later.learnedAt).not.toBe(learnedAt)
  expect(await callsTo('mastodon', 'other')).toBe(before + 2)
})

test('a platform that does not answer is left alone for a while, and what is known stays', async () => {
  const { id } = await learn('mastodon', 'terse-outage')
  await control('POST', '/faults', { platform: 'mastodon', handle: 'terse-outage', fault: { kind: 'status', status: 503 } })
  aheadMs += 2 * 86_400_000
  const before = await callsTo('mastodon', 'other')
  expect((await read(id)).data).toMatchObject({ isCurrent: false, text: { max: 300 } })
  await read(id)
  await read(id)
  expect(await callsTo('mastodon', 'other')).toBe(before + 1)
})

test('another workspace, and a connection that was removed, have no such connection', async () => {
  const { id } = await learn('mastodon', 'terse-private')
  const { workspaceId } = api
  await api.openWorkspace()
  expect(await read(id)).toMatchObject({ status: 404, error: { code: 'connection_not_found' } })
  const [own] = (await api.send<Connection[]>('GET', `/workspaces/${api.workspaceId}/connections`)).data
  await api.send('DELETE', `/workspaces/${api.workspaceId}/connections/${own?.id}`)
  expect(await read(own?.id ?? '')).toMatchObject({ status: 404 })
  expect(await read('unknown')).toMatchObject({ status: 404 })
  expect(workspaceId).not.toBe(api.workspaceId)
})

/** Guarantee: a post is checked by the limits of its account where they are known, whichever request carries it. */
describe('posts are checked by what is known', () => {
  const letters = (count: number) => 'a'.repeat(count)
  const validate = async (slug: string, body: object) => {
    const { data } = await api.send<Verdict>('POST', '/content/validate', { type: 'text', connections: [slug], ...body })
    return data.connections[0]
  }
  const codes = async (slug: string, body: object) => (await validate(slug, body))?.violations.map(({ code }) => code)

  test('a server with room takes a long text, and a small one refuses a short one: create, PATCH and validate', async () => {
    const roomy = await learn('mastodon', 'roomy-poster')
    const terse = await learn('mastodon', 'terse-poster')
    expect(await codes(roomy.slug, { text: letters(3000) })).toEqual([])
    expect(await codes(roomy.slug, { text: letters(5001) })).toEqual(['text_too_long'])
    expect(await codes(terse.slug, { text: letters(300) })).toEqual([])
    expect(await codes(terse.slug, { text: letters(400) })).toEqual(['text_too_long'])
    const create = (slug: string, text: string, more: object = {}) =>
      api.send<{ uploadId: string; draftId: string }>('POST', '/content/text', { connections: [slug], text, ...more })
    const soon = { scheduledAt: new Date(api.ctx.nowMs() + 3_600_000).toISOString() }
    expect(await create(roomy.slug, letters(3000), soon)).toMatchObject({ status: 201 })
    expect(await create(terse.slug, letters(400), soon)).toMatchObject({ status: 422, error: { code: 'post_invalid' } })
    const { draftId } = (await create(terse.slug, letters(10), { saveDraft: true })).data
    const changed = await api.send('PATCH', `/content/${draftId}`, { text: letters(400) })
    expect(changed.data.issues).toMatchObject([{ code: 'text_too_long', params: { limit: 300 }, blocking: true }])
  })

  test('an account of which nothing is known has the limits of its platform', async () => {
    const { slug } = await connect('mastodon', 'roomy-unknown')
    expect(await codes(slug, { text: letters(501) })).toEqual(['text_too_long'])
  })

  test('a long text is split by the limit of each account', async () => {
    const terse = await learn('mastodon', 'terse-splitter')
    const roomy = await learn('mastodon', 'roomy-splitter')
    const text = 'The bells ring. '.repeat(30).trim()
    const body = { connections: [terse.slug, roomy.slug], text, splitLongText: 'plain', saveDraft: true }
    const made = await api.send<{ draftId: string }>('POST', '/content/text', body)
    const { platformOptions } = (await api.send('GET', `/content/${made.data.draftId}`)).data
    expect(Object.keys(platformOptions)).toEqual([terse.slug])
    expect(platformOptions[terse.slug]?.thread).toHaveLength(1)
  })

  test('a verified account of X takes a long text', async () => {
    expect(await codes((await learn('x', 'verified-poster')).slug, { text: letters(2000) })).toEqual([])
    expect(await codes((await learn('x', 'poster')).slug, { text: letters(2000) })).toEqual(['text_too_long'])
  })

  test('a page of LinkedIn is not offered connections; a comment without its permission has a warning', async () => {
    const page = await learn('linkedin', 'company-poster')
    const toConnections = (slug: string) => ({ text: 'a', platformOptions: { [slug]: { visibility: 'CONNECTIONS' } } })
    expect((await validate(page.slug, toConnections(page.slug)))?.violations).toMatchObject([
      {
        code: 'setting_not_offered',
        path: `platformOptions.${page.slug}.visibility`,
        params: { allowed: ['PUBLIC', 'LOGGED_IN'] },
      },
    ])
    const person = await learn('linkedin', 'poster', ['w_member_social'])
    expect(await codes(person.slug, toConnections(person.slug))).toEqual([])
    const commented = await validate(person.slug, { text: 'a', firstComment: 'b' })
    expect(commented).toMatchObject({ valid: true, warnings: [expect.stringContaining('first comment')] })
  })

  test('Pixelfed wants a photo', async () => {
    const { slug } = await learn('mastodon', 'pixelfed-poster')
    expect(await codes(slug, { text: 'a' })).toEqual(['format_not_taken'])
  })

  test('what TikTok said binds for some minutes only', async () => {
    const { slug } = await learn('tiktok', 'strict-poster')
    const body = { type: 'photo', platformOptions: { [slug]: { privacyLevel: 'FOLLOWER_OF_CREATOR', allowComments: true } } }
    const notOffered = async () => (await codes(slug, body))?.filter((code) => code === 'setting_not_offered')
    expect(await notOffered()).toHaveLength(2)
    aheadMs += 3_600_000
    expect(await notOffered()).toHaveLength(0)
  })

  test('an account of Pinterest with several boards needs one named, also long after it was asked', async () => {
    const { slug, needs, differs } = await learn('pinterest', 'many-poster')
    expect([needs, differs]).toEqual([['board'], ['choices.board', 'needs.board']])
    aheadMs += 86_400_000
    const found = (await validate(slug, { type: 'photo' }))?.violations.find(({ code }) => code === 'setting_needed')
    expect(found).toMatchObject({ path: `platformOptions.${slug}.board`, params: { platform: 'Pinterest', setting: 'board' } })
    const chosen = { type: 'photo', platformOptions: { [slug]: { board: 'Bells' } } }
    expect(await codes(slug, chosen)).not.toContain('setting_needed')
    const single = await learn('pinterest', 'poster')
    expect(single.needs).toEqual([])
    expect(await codes(single.slug, { type: 'photo' })).not.toContain('setting_needed')
  })

  test('an old answer is asked for again after a post, which does not wait for it', async () => {
    const { id, slug, learnedAt } = await learn('mastodon', 'terse-later')
    aheadMs += 2 * 86_400_000
    expect(await codes(slug, { text: letters(400) })).toEqual(['text_too_long'])
    const stored = () => findCapabilities(api.ctx.db.system, { workspaceId: api.workspaceId, id })
    await expect.poll(async () => (await stored())?.capabilities_at?.toISOString()).not.toBe(learnedAt)
  })
})
