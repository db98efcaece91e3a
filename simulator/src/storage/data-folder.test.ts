import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
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

test.each([
  ['of another version', JSON.stringify({ version: 0 }), 'another version'],
  ['cut off in the middle', '{"version":1,"graph":{"root":{"ref":0},"obj', 'are damaged'],
  ['of something else', '[]', 'are not data of the simulator'],
  ['incomplete', JSON.stringify({ version: 1, graph: { root: { ref: 0 }, objects: [{ fields: {} }] } }), 'are incomplete'],
])('stored data %s are set aside unchanged, and every page says so', async (_, content, reason) => {
  await using folder = await createFolder()
  using report = vi.spyOn(console, 'error').mockReturnValue()
  await writeFile(join(folder.path, 'simulator.json'), content)
  await using simulator = await startTestSimulator({ dataDir: folder.path })
  expect(await simulator.posts()).toEqual([])
  expect(report).toHaveBeenCalledOnce()
  const { body } = await simulator.request('/_control/storage')
  expect(textAt(body, 'notice')).toContain(reason)
  expect((await simulator.request('/')).text).toContain(textAt(body, 'notice').slice(0, 40))
  // What is stored next must not replace the data that were set aside.
  await simulator.openAccount('mastodon')
  await expect.poll(() => readdir(folder.path), { timeout: 5000 }).toContain('simulator.json')
  const [kept = ''] = (await readdir(folder.path)).filter((name) => name.includes('set-aside'))
  expect(await readFile(join(folder.path, kept), 'utf8')).toBe(content)
})

test('a post survives although an uploaded file is missing', async () => {
  await using folder = await createFolder()
  const before = await startTestSimulator({ dataDir: folder.path })
  const { token } = await before.openAccount('mastodon')
  const form = new FormData()
  form.set('file', new Blob(['picture'], { type: 'image/png' }), 'bell.png')
  const media = textAt((await before.request('/mastodon/api/v2/media', { token, body: form })).body, 'id')
  await before.request(statuses, { token, json: { status: 'kept', media_ids: [media] } })
  await before[Symbol.asyncDispose]()
  await rm(join(folder.path, 'media'), { recursive: true })
  await using after = await startTestSimulator({ dataDir: folder.path })
  expect(await after.posts()).toMatchObject([{ text: 'kept' }])
  expect((await after.request('/')).text).toContain('did not keep this file')
})

test('a folder that cannot be written is reported, and the simulator goes on', async () => {
  await using folder = await createFolder()
  using report = vi.spyOn(console, 'error').mockReturnValue()
  await using simulator = await startTestSimulator({ dataDir: folder.path })
  await mkdir(join(folder.path, 'simulator.json.new'))
  const { token } = await simulator.openAccount('mastodon')
  await expect.poll(() => report.mock.calls.length, { timeout: 5000 }).toBeGreaterThan(0)
  expect((await simulator.request(statuses, { token, json: { status: 'still here' } })).status).toBe(200)
  expect((await simulator.request('/')).text).toContain('could not be stored')
  await rm(join(folder.path, 'simulator.json.new'), { recursive: true })
  await simulator.openAccount('mastodon', 'bob')
  await expect.poll(async () => (await simulator.request('/')).text, { timeout: 5000 }).not.toContain('could not be stored')
})

test('the program stores everything when it is ended, without waiting for the next save', async () => {
  await using folder = await createFolder()
  const main = join(import.meta.dirname, '../main.ts')
  const child = spawn(process.execPath, [main, '--port', '0', '--data', folder.path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise<string>((resolve) => {
    child.stdout.on('data', (line: Buffer) => resolve(/http:\S+/.exec(line.toString())?.[0] ?? ''))
  })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ platform: 'mastodon', handle: 'last-moment' })
  expect((await fetch(`${url}/_control/accounts`, { method: 'POST', headers, body })).status).toBe(201)
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
  await using simulator = await startTestSimulator({ dataDir: folder.path })
  expect((await simulator.request('/_control/accounts')).text).toContain('last-moment')
})
