import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '@carillon/stack/services'
import { verifyWebhook, type Post, type WebhookEvent } from '@carillon/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePng } from '../support/files.ts'
import { startLine } from '../support/programs/start-line.ts'
import { bluesky, carillon, findPlatformPosts, mastodon, testStack, uniqueText } from '../test-stack.ts'

const program = join(root, 'cli/src/main.ts')
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-cli-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

type Run = { code: number; out: string; err: string }
type Env = Record<string, string>

function environment(env: Env = {}): Env {
  return {
    PATH: process.env['PATH'] ?? '',
    XDG_CONFIG_HOME: join(dir, 'config'),
    CARILLON_URL: testStack.baseUrl,
    CARILLON_API_KEY: testStack.apiKey,
    CARILLON_WORKSPACE_ID: testStack.workspaceId,
    ...env,
  }
}

/** Runs one command as a person or a script does: as a program of its own. */
function run(args: readonly string[], { env = {}, input = '' }: { env?: Env; input?: string } = {}): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { env: environment(env) }, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err })
    })
    child.stdin?.end(input)
  })
}

async function runJson<Data = Post & { idempotencyKey: string }>(args: readonly string[], env?: Env): Promise<Data> {
  const { out, err } = await run([...args, '--json'], env && { env })
  if (out === '') throw new Error(err)
  return JSON.parse(out) as Data
}

/** Guarantee: a script learns from the exit code alone what became of its post, and a repeated command makes no second post. */
describe('posts', () => {
  test('publishes on every account that is named, and waits for each result', async () => {
    const text = uniqueText('from the line')
    const { code, out, err } = await run(['post', 'create', text, '--to', bluesky, '--to', mastodon, '--wait'])
    expect({ code, err }).toEqual({ code: 0, err: expect.stringMatching(/^Idempotency key: cli-\S+$/m) })
    for (const slug of [bluesky, mastodon]) expect(out).toMatch(new RegExp(`^${slug} +success +http`, 'm'))
    expect(out).not.toContain('\u001b')
    expect((await findPlatformPosts(text)).length).toBe(2)
  })

  test('a lost answer is not a lost key: the same command with it makes no second post', async () => {
    const text = uniqueText('answer lost')
    const line = await startLine()
    try {
      line.mode = 'lossy'
      const first = await run(['post', 'create', text, '--to', bluesky], { env: { CARILLON_URL: line.url } })
      expect(first.code).toBe(4)
      expect(line.lost).toBeGreaterThan(0)
      const key = /--idempotency-key (\S+)/.exec(first.err)?.[1] ?? ''
      line.mode = 'open'
      const again = await run(['post', 'create', text, '--to', bluesky, '--idempotency-key', key, '--wait'], {
        env: { CARILLON_URL: line.url },
      })
      expect({ code: again.code, err: again.err.trim() }).toEqual({ code: 0, err: `Idempotency key: ${key}` })
      expect(await findPlatformPosts(text)).toHaveLength(1)
      expect((await carillon.content.list({ search: text })).meta.total).toBe(1)
    } finally {
      line.close()
    }
  })

  test(
    'the same command with its file and key is the same post, and another text with the key is refused',
    { timeout: 120_000 },
    async () => {
      const file = join(dir, 'tower.png')
      await writeFile(file, makePng())
      const text = uniqueText('with a file')
      const command = [
        '--to',
        bluesky,
        '--media',
        file,
        '--alt',
        'A tower',
        '--draft',
        '--idempotency-key',
        uniqueText('k').replace(' ', '-'),
      ]
      const first = await runJson(['post', 'create', text, ...command])
      expect(first.medias.map(({ alt }) => alt)).toEqual(['A tower'])
      expect((await runJson(['post', 'create', text, ...command])).uploadId).toBe(first.uploadId)
      const other = await run(['post', 'create', `${text}!`, ...command])
      expect(other).toMatchObject({ code: 2, err: expect.stringContaining('idempotency_key_reused') })
    },
  )

  test('a channel that fails is exit code 3, and is named', async () => {
    const failing = testStack.connections.find((slug) => slug === 'mastodon-failing') ?? 'mastodon-failing'
    const { code, out } = await run(['post', 'create', uniqueText('fails'), '--to', failing, '--wait', '--wait-max', '40s'])
    expect({ code, out }).toEqual({ code: 3, out: expect.stringMatching(new RegExp(`^${failing} +failed`, 'm')) })
  })

  test('schedules a wall time, lists it, cancels it and deletes it', async () => {
    const text = uniqueText('later')
    const at = ['--at', '2027-03-28 09:00', '--zone', 'Europe/Berlin']
    const post = await runJson(['post', 'create', text, '--to', bluesky, ...at])
    expect([post.status, post.scheduledAt]).toEqual(['scheduled', '2027-03-28T07:00:00.000Z'])
    const listed = await run(['post', 'list', '--search', text])
    expect(listed.out).toMatch(new RegExp(`^${post.uploadId} +scheduled +2027-03-28 09:00 +${bluesky} +${text}`, 'm'))
    expect((await run(['post', 'show', post.uploadId])).out).toContain('for 2027-03-28 09:00 (Europe/Berlin)')
    expect(await run(['post', 'cancel', post.uploadId])).toMatchObject({
      code: 0,
      out: expect.stringContaining('it is a draft now'),
    })
    expect((await run(['post', 'cancel', post.uploadId])).code).toBe(2)
    expect((await run(['post', 'delete', post.uploadId])).code).toBe(1)
    expect((await run(['post', 'delete', post.uploadId, '--yes'])).code).toBe(0)
    expect((await run(['post', 'show', post.uploadId])).code).toBe(2)
  })

  test('checks without publishing, and settings go to the accounts of their platform', async () => {
    const text = uniqueText('checked')
    const settings = ['--option', 'mastodon.visibility=unlisted']
    expect((await run(['post', 'create', text, '--to', `${bluesky},${mastodon}`, '--dry-run', ...settings])).code).toBe(0)
    const refused = await run(['post', 'create', 'x'.repeat(2000), '--to', bluesky, '--dry-run'])
    expect(refused).toMatchObject({ code: 2, out: expect.stringContaining(`✗ ${bluesky}`) })
    expect((await carillon.content.list({ search: text })).meta.total).toBe(0)
    const draft = await runJson(['post', 'create', text, '--to', `${bluesky},${mastodon}`, '--draft', ...settings])
    expect(draft.platformOptions).toEqual({ [mastodon]: { visibility: 'unlisted' } })
  })

  test('text comes from standard input or a file, and what others wrote cannot command the terminal', async () => {
    const text = uniqueText('\u001b[2Jred\u202e')
    const post = await runJson(['post', 'create', text, '--to', bluesky, '--draft'])
    const { out } = await run(['post', 'show', post.uploadId])
    expect(out).toContain('[2Jred')
    for (const hidden of ['\u001b', '\u202e']) expect(out).not.toContain(hidden)
    const { code } = await run(['post', 'create', '-', '--to', bluesky, '--draft'], { input: uniqueText('piped') })
    expect(code).toBe(0)
  })

  test('nothing can be retried where nothing failed', async () => {
    const post = await runJson(['post', 'create', uniqueText('no retry'), '--to', bluesky, '--wait'])
    expect(await run(['post', 'retry', post.uploadId])).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing_to_retry'),
    })
  })

  test.each([
    ['post create Hello', 'To which accounts?'],
    ['post create Hello --to nobody-here', 'There is no account nobody-here'],
    ['post create Hello --to all --at tomorrow', '"tomorrow" is not a time'],
    ['post create Hello --to all --draft --wait', '--wait makes no sense'],
    ['post list --lout', '--lout is not an option of "carillon post list"'],
    ['post', '"carillon post" needs a second word'],
  ])('a wrong command line is exit code 1 and sends nothing: %s', async (line, message) => {
    const { code, out, err } = await run(line.split(' '))
    expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(message) })
  })
})

/** Guarantee: the API key is kept where only its owner reads it, and what is wrong with it is said. */
describe('signing in', () => {
  const noKey = { CARILLON_URL: '', CARILLON_API_KEY: '', CARILLON_WORKSPACE_ID: '' }

  test('keeps the key of standard input in a file for its owner alone, uses it and forgets it', async () => {
    const env = { ...noKey, XDG_CONFIG_HOME: join(dir, 'signed-in') }
    const args = ['login', testStack.baseUrl, '--key-stdin', '--workspace', testStack.workspaceId]
    const signedIn = await run(args, { env, input: `${testStack.apiKey}\n` })
    expect(signedIn).toMatchObject({ code: 0, err: '' })
    const file = join(dir, 'signed-in/carillon/credentials.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const { out } = await run(['whoami'], { env })
    expect(out).toContain(testStack.workspaceId)
    expect(out).not.toContain(testStack.apiKey)
    expect((await run(['accounts', 'list'], { env })).out).toContain(bluesky)
    expect((await run(['logout'], { env })).code).toBe(0)
    expect(await readFile(file, 'utf8')).not.toContain('sk_')
    expect(await run(['post', 'list'], { env })).toMatchObject({ code: 1, err: expect.stringContaining('carillon login') })
  })

  test('a wrong key is refused with 2, and nothing is kept', async () => {
    const env = { ...noKey, XDG_CONFIG_HOME: join(dir, 'wrong-key') }
    const signedIn = await run(['login', testStack.baseUrl, '--key-stdin'], { env, input: 'sk_wrong' })
    expect(signedIn).toMatchObject({ code: 2, err: expect.stringContaining('api_key_invalid') })
    await expect(readdir(join(dir, 'wrong-key'))).rejects.toThrow('ENOENT')
    expect((await run(['post', 'list'], { env: { CARILLON_API_KEY: 'sk_wrong' } })).code).toBe(2)
  })

  test('without a network it is 4, and failures are JSON for programs', async () => {
    const { code, err } = await run(['post', 'list', '--json'], { env: { CARILLON_URL: 'http://127.0.0.1:9' } })
    expect([code, JSON.parse(err)]).toEqual([4, { error: expect.objectContaining({ code: 'connection_failed' }) }])
  })

  test('a key of the environment is never sent to the address of a profile', async () => {
    expect(await run(['whoami'], { env: { CARILLON_URL: '' } })).toMatchObject({
      code: 1,
      err: expect.stringContaining('Set both'),
    })
  })
})

test('adds a file once, and lists files and queues', { timeout: 120_000 }, async () => {
  const file = join(dir, `${uniqueText('bell').replace(' ', '-')}.png`)
  await writeFile(file, makePng())
  const [first] = await runJson<{ id: string; alt: string }[]>(['media', 'add', file, '--alt', 'A bell'])
  const [second] = await runJson<{ id: string; alt: string }[]>(['media', 'add', file])
  expect([first?.alt, second?.id]).toEqual(['A bell', first?.id])
  expect((await run(['media', 'list'])).out).toContain(first?.id)
  expect((await run(['queues', 'list'])).code).toBe(0)
})

/** Guarantee: every event reaches the receiver in order, also after the network was away and after this program was killed. */
describe('listen', () => {
  async function startReceiver() {
    const receiver = { url: '', events: [] as WebhookEvent[], secret: '', status: 204, close: () => {} }
    const server = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        const event = await verifyWebhook({ body: Buffer.concat(chunks), headers: request.headers, secret: receiver.secret })
        if (receiver.status < 300) receiver.events.push(event)
        response.writeHead(receiver.status).end()
      })().catch(() => response.writeHead(400).end())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
    receiver.close = () => void server.close()
    return receiver
  }

  async function startListening(forward: string, url: string): Promise<{ child: ChildProcess; secret: string }> {
    const child = spawn(process.execPath, [program, 'listen', '--forward', forward, '--events', 'upload.completed'], {
      env: environment({ CARILLON_URL: url }),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const findSecret = () => /Signing secret: (\S+)/.exec(said)?.[1] ?? ''
    await expect.poll(findSecret, { timeout: 30_000 }).not.toBe('')
    return { child, secret: findSecret() }
  }

  const publish = async (what: string) =>
    (await runJson(['post', 'create', uniqueText(what), '--to', bluesky, '--wait'])).uploadId

  test(
    'nothing is lost or out of order when the network, the receiver or this program is away',
    { timeout: 120_000 },
    async () => {
      const [line, receiver] = [await startLine(), await startReceiver()]
      const idsOf = () => receiver.events.map(({ data }) => ('uploadId' in data ? data.uploadId : ''))
      const arrive = async (ids: string[]) => {
        await expect.poll(() => idsOf().filter((id) => ids.includes(id)), { timeout: 30_000 }).toEqual(ids)
      }
      const first = await startListening(receiver.url, line.url)
      receiver.secret = first.secret
      const ids = [await publish('while it listens')]
      await arrive(ids)

      line.mode = 'down'
      ids.push(await publish('without a network'), await publish('still without'))
      line.mode = 'open'
      await arrive(ids)

      receiver.status = 500
      ids.push(await publish('refused at first'))
      first.child.kill('SIGKILL')
      ids.push(await publish('while it is not running'))
      receiver.status = 204
      const second = await startListening(receiver.url, line.url)
      expect(second.secret).toBe(first.secret)
      await arrive(ids)
      expect(new Set(receiver.events.map(({ deliveryId }) => deliveryId)).size).toBe(receiver.events.length)
      second.child.kill()
      line.close()
      receiver.close()
    },
  )
})

/** Guarantee: a file of posts can be tried, imported and exported from a terminal, and a second time makes nothing twice. */
test('import says what would become of each row, makes drafts once, and export gives them back', async () => {
  const [text, file] = [uniqueText('from a file'), join(dir, 'posts.csv')]
  await writeFile(file, `id,connections,text\n${text},${bluesky},${text}\nother,nobody,${text}\n`)
  const tried = await run(['import', file])
  expect(tried).toMatchObject({ code: 2, out: expect.stringMatching(/1 +ready +draft[^]*2 +refused[^]*nobody/) })
  expect((await carillon.content.list({ search: text })).data).toEqual([])
  expect((await run(['import', file, '--make', '--account', `nobody=${mastodon}`])).code).toBe(0)
  expect((await run(['import', file, '--make'])).out).toContain('2 exists.')
  const posts = (await carillon.content.list({ search: text })).data
  expect(posts.map(({ status }) => status)).toEqual(['draft', 'draft'])
  expect((await run(['import', file, '--make', '--schedule'])).err).toContain('first stop the queue of the other tool')
  const exported = await run(['export', '--status', 'draft'])
  const lines = exported.out
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  expect(lines).toEqual(expect.arrayContaining([expect.objectContaining({ text, connections: [mastodon] })]))
  await carillon.content.bulkDelete({ ids: posts.map(({ uploadId }) => uploadId) })
})
