import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { runCommand } from '@carillon/stack/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readGuideProgram } from '../support/programs/guide-program.ts'
import { bluesky, carillon, mastodon, testStack, timeAfter, uniqueText } from '../test-stack.ts'

const day = 24 * 60 * 60 * 1000
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'carillon-import-guide-'))
  for (const [guide, program] of [
    ['import-posts', 'import.mjs'],
    ['migrate-from-postiz', 'from-postiz.mjs'],
    ['migrate-from-buffer', 'from-buffer.mjs'],
  ] as const) {
    await writeFile(join(folder, program), await readGuideProgram(guide, program))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Guarantee: the programs in the guides bring posts from other tools, and a second run creates nothing twice. */
test('rows of Postiz become drafts, then scheduled posts, once each', async () => {
  const [first, second] = [uniqueText('from Postiz'), uniqueText('draft of Postiz')]
  const at = timeAfter(day)
  const row = { state: 'QUEUE', image: '[]', platform: 'bluesky', account: 'The Tower', at: at.replace('Z', '') }
  const rows = [
    { ...row, id: 'p1', content: `<p>${first}</p><p>R&amp;B &lt;3</p>` },
    { ...row, id: 'p2', content: `<p>${second}</p>`, state: 'DRAFT' },
    { ...row, id: 'p3', content: '<p>for a platform that we do not have</p>', platform: 'reddit' },
    { ...row, id: 'p4', content: '<p>published already</p>', state: 'PUBLISHED' },
  ]
  await writeFile(join(folder, 'postiz.json'), JSON.stringify(rows))
  await writeFile(join(folder, 'accounts.json'), JSON.stringify({ 'bluesky/The Tower': bluesky }))
  await run('from-postiz.mjs', ['postiz.json'])
  expect(await importedPosts()).toEqual([
    { id: 'p1', text: `${first}\nR&B <3`, connections: [bluesky], media: [], at },
    { id: 'p2', text: second, connections: [bluesky], media: [] },
  ])

  await run('import.mjs', [])
  await run('import.mjs', ['--schedule'])
  await run('import.mjs', ['--schedule'])
  expect((await postsWith(first)).map(({ status }) => status).toSorted()).toEqual(['draft', 'scheduled'])
  expect((await postsWith(second)).map(({ status }) => status)).toEqual(['draft'])
  await removePosts(first, second)
})

test('posts of Buffer are read in pages, and a refused post is reported with its reason', async () => {
  const [first, tooLong] = [uniqueText('from Buffer'), 'long '.repeat(200)]
  const dueAt = timeAfter(day)
  const buffer = await serveBuffer([
    { id: 'b1', text: first, status: 'scheduled', dueAt, channelId: 'c1', assets: [] },
    { id: 'b2', text: tooLong, status: 'scheduled', dueAt, channelId: 'c1', assets: [] },
    { id: 'b3', text: 'of a channel that is not listed', status: 'scheduled', dueAt, channelId: 'c2', assets: [] },
  ])
  await writeFile(join(folder, 'accounts.json'), JSON.stringify({ c1: mastodon }))
  await run('from-buffer.mjs', [], { BUFFER_KEY: 'key', BUFFER_URL: buffer.url })
  buffer.close()
  expect((await importedPosts()).map(({ id }) => id)).toEqual(['b1', 'b2'])

  await expect(run('import.mjs', ['--schedule'])).rejects.toThrow(/b2: .*text/)
  expect(await postsWith(first)).toHaveLength(1)
  await removePosts(first)
})

function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { baseUrl: CARILLON_URL, apiKey: CARILLON_KEY, workspaceId: CARILLON_WORKSPACE } = testStack
  return runCommand(process.execPath, [program, ...args], {
    cwd: folder,
    env: { CARILLON_URL, CARILLON_KEY, CARILLON_WORKSPACE, ...env },
  })
}

async function importedPosts(): Promise<{ id: string }[]> {
  return JSON.parse(await readFile(join(folder, 'posts.json'), 'utf8'))
}

async function postsWith(words: string) {
  const { data } = await carillon.content.list({ search: words, limit: 100 })
  return data
}

async function removePosts(...texts: string[]): Promise<void> {
  const found = (await Promise.all(texts.map(postsWith))).flat()
  await carillon.content.bulkDelete({ ids: found.map(({ uploadId }) => uploadId) })
}

/** Answers as Buffer's documentation says, one post on a page. */
async function serveBuffer(posts: readonly object[]): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => void text(request).then((body) => answer(body, response)))
  const answer = (body: string, response: ServerResponse) => {
    const { query } = JSON.parse(body) as { query: string }
    const after = /after: "(\d+)"/.exec(query)?.[1]
    const at = after === undefined ? 0 : Number(after) + 1
    const data = query.includes('account {')
      ? { account: { organizations: [{ id: 'o1' }] } }
      : query.includes('channels(')
        ? { channels: [{ id: 'c1', name: 'Tower', service: 'mastodon' }] }
        : { posts: { edges: [{ node: posts[at] }], pageInfo: { hasNextPage: at < posts.length - 1, endCursor: String(at) } } }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() }
}
