import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Import, Label, Post } from '@carillon/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { clearKeyCache } from '../api-keys/find-key-holder.ts'
import { labelRoutes } from '../labels/label.routes.ts'
import { PostApi } from '../posts/post-api.fixture.ts'
import { importRoutes } from './import.routes.ts'

/** Guarantee: a row of a file becomes one post at most, by the same checks as a create, and says what became of it. */

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

let api: PostApi
let dir: string

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-imports-'))
  api = await PostApi.start(dir, { routes: [importRoutes, labelRoutes] })
}, 60_000)

beforeEach(() => api.openWorkspace())

afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

const lines = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
const send = (body: object) => api.send<Import>('POST', '/imports', body)
const run = (id: string, body: object) => api.send<Import>('POST', `/imports/${id}/run`, body)
const statuses = ({ data }: { data: Import }) => data.rows.map(({ status }) => status)
const posts = async () => (await api.send<{ data: Post[] }>('GET', '/content?limit=100')).data.data

async function importFile(format: string, content: string, more: object = {}): Promise<Import> {
  const { data, error, status } = await send({ format, content, ...more })
  expect([status, error]).toEqual([201, undefined])
  return data
}

describe('an import', () => {
  test.each([
    ['none', 'scheduled', ['created', null]],
    ['programs', 'scheduled', ['refused', 'approval_required']],
    ['editors', 'scheduled', ['refused', 'approval_required']],
    ['editors', 'draft', ['created', null]],
  ] as const)(
    'guarantee: with the rule %s, a program that imports as %s is answered %j',
    async (approval, placement, expected) => {
      await api.ctx.db.system.updateTable('workspace').where('id', '=', api.workspaceId).set({ approval }).execute()
      clearKeyCache(api.ctx)
      const row = { connections: [api.first], text: 'Ding', scheduledAt: inDays(2) }
      const made = await importFile('jsonl', lines(row), { dryRun: false, placement, oldQueueStopped: true })
      expect(made.rows.map(({ status, code }) => [status, code])).toEqual([expected])
      const { data } = await run(made.id, { dryRun: false, placement: 'scheduled', oldQueueStopped: true })
      expect((await posts()).map(({ status }) => status).filter((status) => status === 'scheduled')).toHaveLength(
        approval === 'none' ? 1 : 0,
      )
      expect(data.rows).toHaveLength(1)
    },
  )

  test('guarantee: a dry run stores no post, says what each row lacks, and is the default', async () => {
    const content = lines(
      { id: 'a', connections: [api.first], text: 'Ding' },
      { id: 'b', connections: ['nobody'], text: 'Dong' },
      { id: 'c', connections: [api.first], text: 'x'.repeat(25_001) },
      { id: 'd', connections: [api.first], text: 'Ding', author: 'Lea' },
      { id: 'e', connections: [api.first], text: 'Old', status: 'completed' },
      { id: 'a', connections: [api.first], text: 'Ding again' },
    )
    const made = await importFile('jsonl', `${content}\nno json`)
    expect(made.rows.map(({ status, code }) => [status, code])).toEqual([
      ['ready', null],
      ['refused', 'connection_unknown'],
      ['refused', 'request_invalid'],
      ['refused', 'request_invalid'],
      ['skipped', null],
      ['exists', null],
      ['refused', 'request_invalid'],
    ])
    expect(made.counts).toMatchObject({ ready: 1, refused: 4, skipped: 1, exists: 1, created: 0 })
    expect(made.rows[2]?.message).toMatch(/^text: .*25,?000/)
    expect(made.rows[3]?.message).toContain('author')
    expect(made.accounts).toEqual([
      { account: api.first, connection: api.first, rows: 2 },
      { account: 'nobody', connection: null, rows: 1 },
    ])
    expect(await posts()).toEqual([])
  })

  test('guarantee: the same row makes one post, in whichever file and however often it comes', async () => {
    const row = { id: 'a', connections: [api.first], text: 'Ding' }
    const nameless = { connections: [api.second], text: 'Dong' }
    const first = await importFile('jsonl', lines(row, nameless), { dryRun: false })
    expect(first.rows.map(({ status, placement }) => [status, placement])).toEqual([
      ['created', 'draft'],
      ['created', 'draft'],
    ])
    const again = await importFile('jsonl', lines(row, nameless), { dryRun: false })
    expect([again.id, statuses({ data: again })]).toEqual([first.id, ['exists', 'exists']])
    const other = await importFile('jsonl', lines(nameless, { ...row, text: 'Changed' }, { ...row, id: 'new' }), {
      dryRun: false,
    })
    expect(statuses({ data: other })).toEqual(['exists', 'exists', 'created'])
    const csv = `id,connections,text\na,${api.first},Ding\n`
    expect(statuses({ data: await importFile('csv', csv, { dryRun: false }) })).toEqual(['exists'])
    expect((await posts()).map(({ text }) => text).toSorted()).toEqual(['Ding', 'Ding', 'Dong'])
  })

  test('guarantee: two imports of the same row at the same time make one post', async () => {
    const row = { id: 'race', connections: [api.first], text: 'Ding' }
    const files = [lines(row), lines(row, { id: 'x', connections: [api.first], text: 'x' }), `${lines(row)}\n\n`]
    await Promise.all(files.map((content) => importFile('jsonl', content, { dryRun: false })))
    expect((await posts()).filter(({ text }) => text === 'Ding')).toHaveLength(1)
  })

  test('guarantee: nothing is scheduled before the other tool is said to have stopped', async () => {
    const content = lines({ id: 'a', connections: [api.first], text: 'Ding', scheduledAt: inDays(3) })
    const refused = await send({ format: 'jsonl', content, dryRun: false, placement: 'scheduled' })
    expect([refused.status, refused.error?.code]).toEqual([409, 'old_queue_running'])
    expect(await posts()).toEqual([])
    const drafts = await importFile('jsonl', content, { dryRun: false })
    expect((await posts()).map(({ status }) => status)).toEqual(['draft'])
    const still = await run(drafts.id, { dryRun: false, placement: 'scheduled' })
    expect(still.error?.code).toBe('old_queue_running')
    const stopped = { dryRun: false, placement: 'scheduled', oldQueueStopped: true }
    expect((await run(drafts.id, stopped)).data.rows).toMatchObject([{ status: 'created', placement: 'scheduled' }])
    expect((await posts()).map(({ status }) => status)).toEqual(['scheduled'])
    expect(statuses(await run(drafts.id, stopped))).toEqual(['exists'])
  })

  test('guarantee: a time that has passed is never published at once', async () => {
    const content = lines(
      { id: 'late', connections: [api.first], text: 'Late', scheduledAt: inDays(-1) },
      { id: 'now', connections: [api.first], text: 'Now', scheduledAt: new Date(Date.now() - 1000).toISOString() },
      { id: 'none', connections: [api.first], text: 'No time', status: 'scheduled' },
    )
    const made = await importFile('jsonl', content, { dryRun: false, placement: 'scheduled', oldQueueStopped: true })
    expect(made.rows.map(({ status, placement }) => [status, placement])).toEqual([
      ['refused', null],
      ['refused', null],
      ['created', 'draft'],
    ])
    expect((await posts()).map(({ status }) => status)).toEqual(['draft'])
  })

  test('a row among good ones is refused alone, and can be mended', async () => {
    const content = lines(
      { id: 'a', connections: [api.first], text: 'Ding' },
      { id: 'b', connections: ['mastodon/old name'], text: 'Dong' },
    )
    const made = await importFile('jsonl', content, { dryRun: false })
    expect(statuses({ data: made })).toEqual(['created', 'refused'])
    const mended = await run(made.id, { dryRun: false, accounts: { 'mastodon/old name': api.second } })
    expect(statuses(mended)).toEqual(['exists', 'created'])
    expect((await api.send<Import>('GET', `/imports/${made.id}`)).data.accounts).toContainEqual({
      account: 'mastodon/old name',
      connection: api.second,
      rows: 1,
    })
    expect((await api.send('DELETE', `/imports/${made.id}`)).status).toBe(200)
    expect((await api.send('GET', `/imports/${made.id}`)).error?.code).toBe('import_not_found')
    expect(await posts()).toHaveLength(2)
  })

  test('goes on at the row that it is told', async () => {
    const made = await importFile('jsonl', lines(...['a', 'b', 'c'].map((id) => ({ id, connections: [api.first], text: id }))))
    const rest = await run(made.id, { dryRun: false, from: 3 })
    expect([statuses(rest), rest.data.counts.created]).toEqual([['created'], 1])
  })
})

describe('a CSV', () => {
  test('has lists, JSON and lines in its cells, with commas or semicolons', async () => {
    const label = (await api.send<Label>('POST', '/labels', { name: 'Summer', color: 'teal' })).data
    const at = inDays(2)
    const csv = [
      'ID;Connections;Text;scheduledAt;labels;metadata',
      `1;${api.first}|${api.second};"Ding; dong\nand ""more""";${at};summer;"{""a"":""b""}"`,
      `2;${api.first};"'=1+1";;;`,
      `3;${api.first};too;;;;;many`,
    ].join('\r\n')
    const made = await importFile('csv', `\u{feff}${csv}`, { dryRun: false })
    expect(statuses({ data: made })).toEqual(['created', 'created', 'refused'])
    const [formula, first] = await posts()
    expect(first).toMatchObject({ text: 'Ding; dong\nand "more"', labels: [label.id], metadata: { a: 'b' }, scheduledAt: at })
    expect(first?.channels).toHaveLength(2)
    expect(formula?.text).toBe('=1+1')
  })

  test.each([
    ['an unknown column', 'text,author\nDing,Lea', 'author'],
    ['no columns', 'Ding,Dong\nx,y', 'Ding'],
    ['nothing but a head', 'text\n', 'no rows'],
    ['an open quote', 'text\n"Ding', 'no CSV'],
    ['too many rows', `text\n${'Ding\n'.repeat(1001)}`, '1000'],
  ])('with %s is refused as a whole, in plain words', async (_, content, words) => {
    const { status, error } = await send({ format: 'csv', content })
    expect([status, error?.code, error?.message]).toEqual([422, 'request_invalid', expect.stringContaining(words)])
  })
})

describe('a file of another tool', () => {
  test('Postiz: HTML is text, a group is one post, its answers are a thread', async () => {
    const at = inDays(3)
    const row = { state: 'QUEUE', group: 'g', publishDate: at, content: '<p>R&amp;B</p><p>&lt;3</p>', image: '[]' }
    const integration = (name: string) => ({ integration: { identifier: 'mastodon', name } })
    const content = JSON.stringify({
      posts: [
        { ...row, id: 'p1', ...integration('first') },
        { ...row, id: 'p2', ...integration('SECOND') },
        { ...row, id: 'p3', group: 'h', state: 'PUBLISHED', ...integration('first') },
        { ...row, id: 'p4', group: 'i', state: 'DRAFT', content: '<p>One</p>', ...integration('first') },
        { ...row, id: 'p5', group: 'i', state: 'DRAFT', content: '<p>Two</p>', parentPostId: 'p4', ...integration('first') },
      ],
    })
    const options = { dryRun: false, placement: 'scheduled', oldQueueStopped: true }
    const made = await importFile('postiz', content, options)
    expect(made.rows.map(({ key, status, placement }) => [key, status, placement])).toEqual([
      ['postiz:p1', 'created', 'scheduled'],
      ['postiz:p3', 'skipped', null],
      ['postiz:p4', 'created', 'draft'],
    ])
    const [thread, post] = await posts()
    expect(post).toMatchObject({ text: 'R&B\n<3', status: 'scheduled', scheduledAt: at })
    expect(post?.channels.map(({ connection }) => connection)).toEqual([api.first, api.second])
    expect(thread).toMatchObject({ text: 'One', status: 'draft', thread: [{ text: 'Two' }] })
  })

  test('Mixpost: an account with a version of its own is a post of its own', async () => {
    const account = (id: number, username: string) => ({ id, provider: 'mastodon', name: 'The Tower', username })
    const post = {
      id: 7,
      uuid: 'u7',
      status: 'DRAFT',
      accounts: [account(1, 'first'), account(2, 'second')],
      versions: [
        { account_id: 0, is_original: true, content: [{ body: '<div>For all</div>', media: [] }] },
        { account_id: 2, is_original: false, content: [{ body: 'For one', media: [] }] },
      ],
      scheduled_at: '2031-05-01 09:00:00',
    }
    const made = await importFile('mixpost', JSON.stringify({ data: [post] }), { dryRun: false })
    expect(made.rows.map(({ key, status }) => [key, status])).toEqual([
      ['mixpost:u7', 'created'],
      ['mixpost:u7/2', 'created'],
    ])
    expect((await posts()).map(({ text, channels }) => [text, channels[0]?.connection])).toEqual([
      ['For one', api.second],
      ['For all', api.first],
    ])
  })

  test('Buffer: its files are fetched into the library, with their descriptions', async () => {
    const node = {
      id: 'b1',
      text: 'Ding',
      status: 'draft',
      dueAt: null,
      channelId: 'c1',
      assets: [{ source: 'https://files.invalid/a.png', mimeType: 'image/png', image: { altText: 'A bell' } }],
    }
    const page = JSON.stringify({ data: { posts: { edges: [{ node }] } } })
    const tried = await importFile('buffer', page, { accounts: { c1: api.first } })
    expect(tried.rows).toMatchObject([{ status: 'ready', medias: 1, placement: 'draft' }])
    const made = await run(tried.id, { dryRun: false })
    expect(made.data.rows).toMatchObject([{ status: 'refused', code: expect.stringMatching(/media_not_fetched|url_refused/) }])
    expect(await posts()).toEqual([])
  })
})
