import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startTestSimulator, textAt, valueAt } from '../../test/start-test-simulator.ts'

async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), 'simulator-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

const statuses = '/mastodon/api/v1/statuses'

test('accounts, tokens, posts and what was submitted survive a restart', async () => {
  await using folder = await createFolder()
  const key = { 'idempotency-key': 'one' }
  const before = await startTestSimulator({ dataDir: folder.path })
  const { token, id: account } = await before.openAccount('mastodon')
  const form = new FormData()
  form.set('file', new Blob(['picture'], { type: 'image/png' }), 'bell.png')
  const upload = await before.request('/mastodon/api/v2/media', { token, body: form })
  const media_ids = [textAt(upload.body, 'id')]
  const sent = await before.request(statuses, { token, headers: key, json: { status: 'kept', media_ids } })
  const id = textAt(sent.body, 'id')
  await before[Symbol.asyncDispose]()

  await using after = await startTestSimulator({ dataDir: folder.path })
  expect(await after.posts()).toMatchObject([{ id, text: 'kept', handle: 'alice' }])
  expect(await after.submits()).toMatchObject({ asked: 1, submits: [{ postId: id, key: 'one' }] })
  expect((await after.request(`/media/mastodon/${media_ids[0]}`)).text).toBe('picture')
  // The stored token still works, the key still finds the post, and a reply still finds its parent.
  const again = await after.request(statuses, { token, headers: key, json: { status: 'kept' } })
  expect(textAt(again.body, 'id')).toBe(id)
  const reply = await after.request(statuses, { token, json: { status: 'more', in_reply_to_id: id } })
  expect(reply.status).toBe(200)
  expect(valueAt((await after.request(`${statuses}/${id}`, { token })).body, 'replies_count')).toBe(1)
  expect(await after.posts(`?handle=alice`)).toHaveLength(2)
  expect((await after.openAccount('mastodon')).id).toBe(account)
})

test('ids stay unique after a restart, also on platforms that number their objects', async () => {
  await using folder = await createFolder()
  const send = async () => {
    await using simulator = await startTestSimulator({ dataDir: folder.path })
    const { token } = await simulator.openAccount('threads')
    const form = { media_type: 'TEXT', text: 'bells', auto_publish_text: 'true' }
    return textAt((await simulator.request('/threads/v1.0/me/threads', { token, form })).body, 'id')
  }
  const ids = [await send(), await send(), await send()]
  expect(new Set(ids).size).toBe(3)
})

test('data is written soon after a change, without waiting for the exit', async () => {
  await using folder = await createFolder()
  await using simulator = await startTestSimulator({ dataDir: folder.path })
  const { token } = await simulator.openAccount('mastodon')
  await simulator.request(statuses, { token, json: { status: 'early' } })
  await expect
    .poll(() => readFile(join(folder.path, 'simulator.json'), 'utf8').catch(() => ''), { timeout: 5000 })
    .toContain('early')
})

test('data of another version is ignored', async () => {
  await using folder = await createFolder()
  using report = vi.spyOn(console, 'error').mockReturnValue()
  await writeFile(join(folder.path, 'simulator.json'), JSON.stringify({ version: 0 }))
  await using simulator = await startTestSimulator({ dataDir: folder.path })
  expect(await simulator.posts()).toEqual([])
  expect(report).toHaveBeenCalledOnce()
})
