import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LinkRule, Verdict, Workspace } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PlatformError } from '@carillon/connectors'
import type { Inquiry } from '../publishing/jobs.ts'
import { draftOf, type ChannelToSend } from '../publishing/open-channel.ts'
import { openPublisher } from '../publishing/publishing.fixture.ts'
import { recoverChannels } from '../publishing/recover/recover-channel.ts'
import { loadAround } from '../publishing/send/arm.store.ts'
import { submitBatch } from '../publishing/send/submit-batch.ts'
import { settle } from '../publishing/settle/settle.ts'
import { insertMember } from '../members/member.store.ts'
import { workspaceRoutes } from '../workspaces/workspace.routes.ts'
import { PostApi } from './post-api.fixture.ts'

let api: PostApi
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-link-tags-'))
  api = await PostApi.start(dir, { routes: [workspaceRoutes] })
}, 60_000)
beforeEach(() => api.openWorkspace())
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const rule: LinkRule = {
  domains: ['example.com'],
  source: '{platform}',
  medium: 'social',
  campaign: '{date}',
  content: '{account}',
}
const setRule = (utm: object | null) => api.send<Workspace>('PATCH', `/workspaces/${api.workspaceId}`, { utm })
const later = '2030-12-31T23:30:00.000Z'
const tagsOf = (slug: string, date = '2030-12-31') =>
  `utm_source=mastodon&utm_medium=social&utm_campaign=${date}&utm_content=${slug}`
const link = 'https://shop.example.com/bells?size=2#top'
const linkFor = (slug: string, date?: string) => `https://shop.example.com/bells?size=2&${tagsOf(slug, date)}#top`

/** Runs a request as another person of the workspace, because nobody approves what they have submitted. */
async function asSecondAdmin<T>(run: () => Promise<T>): Promise<T> {
  const { workspaceId, apiKey, personId, first, second } = api
  try {
    await api.openWorkspace()
    await insertMember(api.ctx.db.system, { workspaceId, personId: api.personId, role: 'admin', joinedAt: new Date() })
    // A key approves only if it is said to.
    const scopes = ['content:read', 'content:draft', 'content:publish', 'content:approve']
    await api.ctx.db.system.updateTable('api_key').where('person_id', '=', api.personId).set({ scopes }).execute()
    api.workspaceId = workspaceId
    return await run()
  } finally {
    Object.assign(api, { workspaceId, apiKey, personId, first, second })
  }
}

/** What the publishing engine sends of each channel, from the columns that it reads. */
async function sentBy(id: string, number = 0): Promise<string[]> {
  const channels = (await api.channels(id)).map((row) => ({ ...row, number, reply_to: 'before' }) as unknown as ChannelToSend)
  const { loaded } = await loadAround(api.ctx.db.system, channels)
  return loaded.map((each) => draftOf(api.ctx.connectors.mastodon, each).text)
}

test('guarantee: links are tagged for each account in what is sent, and stay as they were written in what is stored', async () => {
  await setRule(rule)
  const text = `Bells: ${link}.`
  const id = await api.create({
    connections: [api.first, api.second],
    text,
    thread: [{ text: `Again ${link}` }],
    firstComment: `Here: ${link}`,
    platformOptions: { [api.second]: { text: `Own (${link})` } },
    scheduledAt: later,
  })
  expect(await sentBy(id)).toEqual([`Bells: ${linkFor(api.first)}.`, `Own (${linkFor(api.second)})`])
  expect(await sentBy(id, 1)).toEqual([`Again ${linkFor(api.first)}`, `Again ${linkFor(api.second)}`])
  expect(await sentBy(id, 2)).toEqual([`Here: ${linkFor(api.first)}`, `Here: ${linkFor(api.second)}`])
  const post = await api.get(id)
  expect([post.text, post.thread, post.firstComment]).toEqual([text, [{ text: `Again ${link}` }], { text: `Here: ${link}` }])
  expect(post.platformOptions[api.second]).toEqual({ text: `Own (${link})` })
  expect(post.channels.map(({ links }) => links)).toEqual([[linkFor(api.first)], [linkFor(api.second)]])
})

test('guarantee: the limit counts the link as it is sent, in validate, create and edit', async () => {
  const long = `${'x'.repeat(470)} https://example.com/`
  const body = { connections: [api.first], text: long }
  const validate = () => api.send<Verdict>('POST', '/content/validate', { type: 'text', ...body })
  expect((await validate()).data).toMatchObject({ valid: true, connections: [{ valid: true }] })
  // The links of this platform count the same however long they are, so its posts may not be refused for it.
  const { mastodon } = api.ctx.connectors
  const { manifest } = mastodon
  const counted = { ...mastodon, manifest: { ...manifest, text: { ...manifest.text, linkCost: null } } }
  Object.assign(api.ctx.connectors, { mastodon: counted })
  try {
    expect((await validate()).data.valid).toBe(true)
    await setRule(rule)
    const { data } = await validate()
    expect(data.connections).toMatchObject([
      { violations: [{ code: 'text_too_long' }], links: [expect.stringContaining('utm_source')] },
    ])
    expect((await api.send('POST', '/content/text', body)).status).toBe(422)
    const id = await api.create({ text: long, saveDraft: true })
    expect(await api.get(id)).toMatchObject({ issues: [{ code: 'text_too_long', blocking: true }] })
    const split = await api.create({ text: long, splitLongText: 'plain', scheduledAt: later })
    const own = (await api.get(split)).platformOptions[api.first]
    expect([own?.text, ...(own?.thread ?? []).map((part) => part.text)].join(' ')).toBe(long)
    expect(await sentBy(split, 1)).toEqual([`https://example.com/?${tagsOf(api.first)}`])
  } finally {
    Object.assign(api.ctx.connectors, { mastodon })
  }
})

test('guarantee: a draft that is edited twice is tagged once, with the rule and the day of the last edit', async () => {
  await setRule(rule)
  const id = await api.create({ text: link, saveDraft: true, scheduledAt: '2030-01-01T00:30:00Z', timezone: 'America/New_York' })
  expect(await sentBy(id)).toEqual([linkFor(api.first, '2029-12-31')])
  for (const title of ['One', 'Two']) {
    const { data } = await api.send('PATCH', `/content/${id}`, { title, text: (await api.get(id)).text })
    expect(data.text).toBe(link)
    expect(await sentBy(id)).toEqual([linkFor(api.first, '2029-12-31')])
  }
  await setRule(null)
  expect(await sentBy(id)).toEqual([linkFor(api.first, '2029-12-31')])
  const { data } = await api.send('PATCH', `/content/${id}`, { title: 'Three' })
  expect(await sentBy(id)).toEqual([link])
  expect(data.channels[0]).not.toHaveProperty('links')
})

test('guarantee: a rule that changes after a post was scheduled or approved does not change what it sends', async () => {
  await setRule(rule)
  const id = await api.create({ text: link, scheduledAt: later })
  const waiting = await api.create({ text: link, submit: true, scheduledAt: later })
  const { approval } = await api.get(waiting)
  await setRule(null)
  expect(await sentBy(id)).toEqual([linkFor(api.first)])
  await setRule({ ...rule, source: 'other' })
  expect(await sentBy(id)).toEqual([linkFor(api.first)])
  const approved = await asSecondAdmin(() => api.send('POST', `/content/${waiting}/approve`, { revision: approval?.revision }))
  expect([approved.status, approved.data?.status, approved.error?.code]).toEqual([200, 'scheduled', undefined])
  expect(await sentBy(waiting)).toEqual([linkFor(api.first)])
  // An edit is checked again, with the rule of its moment.
  await api.send('PATCH', `/content/${id}`, { keepSchedule: true, text: link })
  expect((await sentBy(id))[0]).toContain('utm_source=other')
})

test('an edit after the rule changed ends the approval: another text would be sent', async () => {
  await setRule(rule)
  const id = await api.create({ text: link, submit: true })
  await setRule({ ...rule, source: 'other' })
  const { data } = await api.send('PATCH', `/content/${id}`, { title: null })
  expect(data.approval?.state).not.toBe('pending')
})

test('guarantee: a lost answer is looked for with the text that was sent', async () => {
  const asked: string[] = []
  const world = await openPublisher(api.database, {
    mastodon: {
      submit: () => Promise.reject(new PlatformError({ kind: 'unknown', platformCode: null, message: 'lost' })),
      find: async (sent) => {
        asked.push(sent.draft.text)
        return { state: 'unknown' }
      },
    },
  })
  const setStored = (utm: object | null) =>
    world.ctx.db.system
      .updateTable('workspace')
      .where('id', '=', world.workspaceId)
      .set({ utm: utm && JSON.stringify(utm) })
      .execute()
  await setStored({ ...rule, campaign: '' })
  await world.create(link)
  await setStored(null)
  const [batch] = await world.claim()
  const { finished, jobs } = await submitBatch(world.ctx, batch ?? { platform: 'mastodon', refs: [], dueAtMs: 0 })
  await settle(world.ctx, finished)
  await recoverChannels(world.ctx, jobs[0]?.payload as Inquiry)
  const slug = world.connections[0]?.slug
  const sent = `https://shop.example.com/bells?size=2&utm_source=mastodon&utm_medium=social&utm_content=${slug}#top`
  expect([world.sent, asked]).toEqual([[sent], [sent]])
  await world.close()
})

test('a rule is read, shown, changed and taken away', async () => {
  const { data } = await setRule({ ...rule, domains: ['Example.com', 'example.com.', 'пример.рф'] })
  expect(data.utm).toEqual({ ...rule, domains: ['example.com', 'xn--e1afmkfd.xn--p1ai'] })
  expect((await api.send<Workspace>('PATCH', `/workspaces/${api.workspaceId}`, { name: 'Belfry' })).data.utm).toEqual(data.utm)
  expect((await setRule(null)).data).not.toHaveProperty('utm')
})

test.each([
  [{ domains: ['com'] }, 'utm.domains[0]'],
  [{ domains: ['example.com', 'https://example.com'] }, 'utm.domains[1]'],
  [{ source: '{day}' }, 'utm.source'],
  [{ medium: ' ' }, 'utm.medium'],
  [{ domains: [] }, 'utm.domains'],
  [{ campaign: 'x'.repeat(101) }, 'utm.campaign'],
])('a rule with %j is refused', async (change, path) => {
  const reply = await api.send<null>('PATCH', `/workspaces/${api.workspaceId}`, { utm: { ...rule, ...change } })
  expect([reply.status, JSON.stringify(reply.error)]).toEqual([422, expect.stringContaining(path)])
})
