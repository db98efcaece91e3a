import { describe, expect } from 'vitest'
import { row, rows } from '../../coverage/rows.ts'
import { call, callData } from '../../support/call.ts'
import { findSubmits } from '../../support/find-submits.ts'
import {
  createDraft,
  createPost,
  dayMs,
  errorPaths,
  readPost,
  textBody,
  tryCreate,
  unknownId,
  type CreatedPost,
} from '../../support/posts.ts'
import {
  bluesky,
  findPlatformPosts,
  mastodon,
  testStack,
  textConnections,
  timeAfter,
  uniqueText,
  waitUntilFinished,
} from '../../test-stack.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const hex24 = /^[0-9a-f]{24}$/
const numbers = { count: expect.any(Number), limit: expect.any(Number), remaining: expect.any(Number) }

/** Saves a draft and reads it back. */
const kept = async (more: Record<string, unknown>) => readPost(await createDraft(more))
const rejectedPaths = async (more: Record<string, unknown>) => {
  const reply = await tryCreate(more)
  expect(reply.status).toBe(422)
  return errorPaths(reply).join()
}

describe('the answers to a create', () => {
  rows(() => createPost(), {
    'I 4.1 answer synchronous': ({ status, data }) => {
      expect(status).toBe(201)
      expect(data).toEqual({
        success: true,
        requestId: expect.stringMatching(uuid),
        uploadId: expect.stringMatching(hex24),
        usage: numbers,
      })
    },
    'I 2 Post requestId': ({ data }) => expect(data.requestId).toMatch(uuid),
    'I 2 Post uploadId': async ({ data }) => {
      expect(data.uploadId).toMatch(hex24)
      expect((await createPost({ async: true })).data).not.toHaveProperty('uploadId')
    },
    'I 8 usage': ({ data }) => expect(data.usage).toEqual(numbers),
    'I 3 none to queued': async ({ data }) => {
      expect(['queued', 'publishing', 'completed']).toContain((await readPost(data.requestId)).status)
      expect((await waitUntilFinished(data.uploadId)).status).toBe('completed')
    },
    'I 4.1 POST /content/text': async ({ data }) => {
      const { text } = await waitUntilFinished(data.uploadId)
      expect(await findPlatformPosts(text ?? '')).toHaveLength(1)
    },
  })

  rows(
    () => createPost<Record<string, unknown>>({ async: true, scheduledAt: timeAfter(dayMs), connections: [bluesky, mastodon] }),
    {
      'I 4.1 answer async': ({ data }) =>
        expect(data).toEqual({
          success: true,
          requestId: expect.stringMatching(uuid),
          usage: numbers,
          message: expect.any(String),
          scheduledAt: expect.any(String),
          totalChannels: 2,
        }),
      'I 4.1 text field async': async ({ status, data }) => {
        expect(status).toBe(202)
        expect((await readPost(String(data['requestId']))).status).toBe('scheduled')
      },
      'D 5 sync and async': async ({ status }) =>
        expect([status, (await createPost({ saveDraft: true })).status]).toEqual([202, 201]),
    },
  )

  rows(() => createPost({ saveDraft: true }), {
    'I 4.1 answer saveDraft': ({ data }) => expect(data).toEqual({ success: true, draftId: expect.stringMatching(hex24) }),
    'I 2 Post draftId': ({ data }) => expect(data.draftId).toMatch(hex24),
    'I 3 none to draft': async ({ data }) => {
      const { text } = await readPost(data.draftId)
      const dueAt = timeAfter(1000)
      const dueText = uniqueText('draft with a time')
      const dueDraft = await createDraft({ text: dueText, scheduledAt: dueAt })
      // Posts that were created later, for the same account and a later time, are published. So the drafts were passed over.
      const later = await createPost({ scheduledAt: timeAfter(3000) })
      expect((await waitUntilFinished(later.data.uploadId)).status).toBe('completed')
      expect(Date.now()).toBeGreaterThan(Date.parse(dueAt))
      for (const [id, draftText] of [
        [data.draftId, text ?? ''],
        [dueDraft, dueText],
      ] as const) {
        expect((await readPost(id)).status).toBe('draft')
        expect((await findSubmits(draftText)).asked).toBe(0)
      }
    },
    'I 4.1 text field saveDraft': async ({ data }) => {
      expect((await readPost(data.draftId)).status).toBe('draft')
      expect(await rejectedPaths({ saveDraft: 'yes' })).toContain('saveDraft')
    },
  })

  row('I 3 none to scheduled', async () => {
    const text = uniqueText('in a moment')
    const { uploadId } = (await createPost({ text, scheduledAt: timeAfter(2500) })).data
    expect([(await readPost(uploadId)).status, await findPlatformPosts(text)]).toEqual(['scheduled', []])
    expect((await waitUntilFinished(uploadId)).status).toBe('completed')
  })

  row('I 1 when', async () => {
    const statuses = async ({ uploadId, draftId }: CreatedPost) => (await readPost(draftId ?? uploadId)).status
    expect(await statuses((await createPost({ saveDraft: true })).data)).toBe('draft')
    expect(await statuses((await createPost({ scheduledAt: timeAfter(dayMs) })).data)).toBe('scheduled')
    expect((await waitUntilFinished((await createPost()).data.uploadId)).status).toBe('completed')
  })

  row('D 5 usage', async () => {
    const usageOf = async (more: Record<string, unknown>) => (await createPost(more)).data.usage
    const before = await usageOf({ scheduledAt: timeAfter(dayMs) })
    await createDraft()
    const after = await usageOf({ scheduledAt: timeAfter(dayMs) })
    expect([after.count, after.limit, after.remaining]).toEqual([before.count + 1, -1, -1])
  })

  row('D 12 first status', async () => {
    const published = await callData<{ status: string }>(`POST /content/${await createDraft()}/publish`)
    expect(published.status).toBe('publishing')
  })
})

describe('the fields of a text', () => {
  row('I 4.1 text field connections', async () => {
    expect((await kept({ connections: textConnections })).channels.map(({ connection }) => connection)).toEqual(textConnections)
    for (const connections of [undefined, [], 'bluesky-demo', [7]])
      expect(await rejectedPaths({ connections })).toContain('connections')
  })

  row('D 5 connections', async () => {
    expect(await rejectedPaths({ connections: [bluesky, bluesky] })).toContain('connections')
    expect(await rejectedPaths({ connections: Array.from({ length: 51 }, (_, n) => `x-${n}`) })).toContain('connections')
    const reply = await tryCreate({ connections: [bluesky, 'bluesky-nobody'] })
    expect([reply.status, reply.error.code, reply.text.includes('bluesky-nobody')]).toEqual([422, 'connection_unknown', true])
  })

  row('I 1 slug', async () => {
    expect(bluesky).toMatch(/^bluesky-/)
    expect((await tryCreate({ connections: ['bluesky'] })).status).toBe(422)
  })

  row('I 4.1 text field text', async () => {
    for (const text of ['a', 'Grüße 👩‍👩‍👧\n\nשלום', 'a'.repeat(25_000)]) expect((await kept({ text })).text).toBe(text)
    expect(await rejectedPaths({ text: '' })).toContain('text')
  })

  row('I 8 text length', async () => {
    expect((await kept({ text: 'a'.repeat(25_000) })).text).toHaveLength(25_000)
    for (const text of ['', 'a'.repeat(25_001)]) expect(await rejectedPaths({ text })).toContain('text')
  })

  row('D 12 code points', async () => {
    expect([...((await kept({ text: '😀'.repeat(25_000) })).text ?? '')]).toHaveLength(25_000)
    expect(await rejectedPaths({ text: '😀'.repeat(25_001) })).toContain('text')
  })

  row('I 4.1 text field title', async () => {
    expect((await kept({ title: 'A title' })).title).toBe('A title')
    expect((await kept({})).title).toBeNull()
    expect(await rejectedPaths({ title: 7 })).toContain('title')
  })

  row('I 4.1 text field firstComment', async () => {
    expect((await kept({ firstComment: { text: 'First!' } })).firstComment).toEqual({ text: 'First!' })
    for (const firstComment of [7, {}, { text: '' }]) expect(await rejectedPaths({ firstComment })).toContain('firstComment')
  })

  row('D 5 firstComment string', async () => {
    expect((await kept({ firstComment: 'First!' })).firstComment).toEqual({ text: 'First!' })
  })

  row('I 4.1 text field linkUrl', async () => {
    const linkUrl = 'https://example.com/a?b=1'
    expect((await kept({ linkUrl })).linkUrl).toBe(linkUrl)
    // A platform without a field for it gets the link with the text.
    const text = uniqueText('linked')
    await waitUntilFinished((await createPost({ text, linkUrl, connections: [mastodon] })).data.uploadId)
    const seen = await fetch(`${testStack.simulatorUrl}/_control/posts?platform=mastodon&limit=20`)
    const texts = ((await seen.json()) as { text: string }[]).filter((post) => post.text.startsWith(text))
    expect(texts.map((post) => post.text.includes(linkUrl))).toEqual([true])
    for (const bad of [7, 'javascript:alert(1)', 'nowhere']) expect(await rejectedPaths({ linkUrl: bad })).toContain('linkUrl')
  })

  row('I 4.1 text field scheduledAt', async () => {
    const scheduledAt = timeAfter(dayMs)
    const { uploadId } = (await createPost({ scheduledAt })).data
    expect(await readPost(uploadId)).toMatchObject({ status: 'scheduled', scheduledAt })
    for (const bad of ['tomorrow', 1_800_000_000, '2027-13-45T99:00:00Z'])
      expect(await rejectedPaths({ scheduledAt: bad })).toContain('scheduledAt')
  })

  row('I 4.1 text field timezone', async () => {
    expect((await kept({ timezone: 'Europe/Berlin' })).timezone).toBe('Europe/Berlin')
    expect(await rejectedPaths({ timezone: 'Mars/Olympus' })).toContain('timezone')
  })

  row('I 4.1 text field contentFormat', async () => {
    expect((await kept({ contentFormat: 'text' })).contentFormat).toBe('text')
    expect(await rejectedPaths({ contentFormat: 7 })).toContain('contentFormat')
  })

  row('D 5 contentFormat', async () => {
    for (const contentFormat of ['text', 'photo', 'photo_carousel', 'story', 'video', 'short_video', 'document'])
      expect([contentFormat, (await createPost({ contentFormat, saveDraft: true })).status]).toEqual([contentFormat, 201])
    expect(await rejectedPaths({ contentFormat: 'hologram' })).toContain('contentFormat')
  })

  row('I 4.1 text field platformOptions', async () => {
    const platformOptions = { [bluesky]: { text: uniqueText('own words') } }
    expect((await kept({ platformOptions })).platformOptions).toEqual(platformOptions)
    expect(await rejectedPaths({ platformOptions: [1] })).toContain('platformOptions')
  })

  row('D 5 platformOptions', async () => {
    expect(await rejectedPaths({ platformOptions: { 'nowhere-nobody': { text: 'x' } } })).toContain('platformOptions')
    const platformOptions = { [mastodon]: { visibility: 'everybody' } }
    expect(await rejectedPaths({ connections: [mastodon], platformOptions })).toContain('visibility')
    expect(
      (await tryCreate({ connections: [mastodon], platformOptions: { [mastodon]: { visibility: 'unlisted' } } })).status,
    ).toBe(201)
  })

  row('D 5 text required', async () => {
    expect(await rejectedPaths({ text: undefined })).toContain('text')
    const platformOptions = { [bluesky]: { text: 'own' } }
    expect((await tryCreate({ text: undefined, platformOptions })).status).toBe(201)
    expect((await tryCreate({ connections: [bluesky, mastodon], text: undefined, platformOptions })).status).toBe(422)
  })
})

describe('the time of publishing', () => {
  const instantOf = async (more: Record<string, unknown>) => (await kept(more)).scheduledAt

  row('D 5 instant', async () => {
    const scheduledAt = '2028-07-01T12:00:00+05:30'
    expect(await instantOf({ scheduledAt, timezone: 'America/New_York' })).toBe('2028-07-01T06:30:00.000Z')
  })

  row('D 5 wall time', async () => {
    const wall = (scheduledAt: string) => instantOf({ scheduledAt, timezone: 'Europe/Berlin' })
    expect(await wall('2028-07-01T12:00:00')).toBe('2028-07-01T10:00:00.000Z')
    expect(await wall('2028-01-15T12:00:00')).toBe('2028-01-15T11:00:00.000Z')
    expect(await rejectedPaths({ scheduledAt: '2028-07-01T12:00:00' })).toMatch(/scheduledAt|timezone/)
  })

  row('D 5 schedule bounds', async () => {
    const soon = await createPost({ scheduledAt: timeAfter(-30_000) })
    expect((await waitUntilFinished(soon.data.uploadId)).status).toBe('completed')
    for (const ms of [-3_600_000, 5.1 * 366 * dayMs])
      expect(await rejectedPaths({ scheduledAt: timeAfter(ms) })).toContain('scheduledAt')
  })
})

describe('errors and warnings', () => {
  const long = 'a'.repeat(600)

  row('D 5 all violations', async () => {
    const reply = await createPost({ connections: [bluesky, mastodon], text: long })
    expect([reply.status, reply.error.code]).toEqual([422, 'post_invalid'])
    expect(errorPaths(reply)).toEqual(['connections[0].text', 'connections[1].text'])
  })

  row('D 5 draft warnings', async () => {
    const { channels } = await kept({ text: long })
    expect(channels[0]?.result.warnings.join()).toContain('300')
  })

  row('D 4 warnings', async () => {
    const { uploadId } = (await createPost({ connections: [mastodon], title: 'A title nobody shows' })).data
    const { channels } = await waitUntilFinished(uploadId)
    expect(channels[0]?.result.warnings.join().toLowerCase()).toContain('title')
  })

  row('D 12 drafts', async () => {
    for (const more of [{ title: 7 }, { connections: ['bluesky-nobody'] }, { scheduledAt: 'soon' }])
      expect([more, (await createPost({ ...more, saveDraft: true })).status]).toEqual([more, 422])
  })

  row('D 6 validate', async () => {
    const total = async () => (await callData<{ meta: { total: number } }>('GET /content?archived=any')).meta.total
    const before = await total()
    const body = { ...textBody({ connections: [bluesky, mastodon], text: 'a'.repeat(400) }), type: 'text' }
    const verdict = await callData<{ valid: boolean; connections: { connection: string; valid: boolean }[] }>(
      'POST /content/validate',
      { body },
    )
    expect(verdict.valid).toBe(false)
    expect(verdict.connections).toMatchObject([
      { connection: bluesky, valid: false },
      { connection: mastodon, valid: true },
    ])
    expect(await total()).toBe(before)
    expect((await call('POST /content/validate', { body: { ...body, type: 'opera' } })).status).toBe(422)
  })
})

row('D 5 plan limit', async () => {
  const changePlan = (plan: string) => callData(`PATCH /workspaces/${testStack.workspaceId}`, { body: { plan } })
  await changePlan('free')
  try {
    const more = { scheduledAt: timeAfter(dayMs) }
    let reply = await createPost(more)
    for (let n = 0; n < 31 && reply.status === 201; n++) reply = await createPost(more)
    expect([reply.status, reply.error.code, reply.error.action]).toEqual([403, 'plan_limit_reached', 'upgrade_plan'])
    expect((await createPost({ saveDraft: true })).status).toBe(201)
  } finally {
    await changePlan('business')
  }
  expect((await call(`GET /content/${unknownId}`)).status).toBe(404)
})
