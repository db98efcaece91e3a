import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCarillon } from '@carillon/sdk'
import { freePort, runCommand } from '@carillon/stack/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyRepository } from '../support/copy-repository.ts'
import { startRegistry, type Registry } from './start-registry.ts'
import { startTrial, type Trial } from './start-trial.ts'

/**
 * Guarantee: a release can be made with the documented commands, a stranger can install it from a registry with one line, and an installation
 * goes to the next release and back without losing or repeating a post. Everything happens in a copy of the repository and on a registry of
 * this machine. Each test needs the one before it.
 */
let dir = ''
let copy = ''
let registry: Registry
let trial: Trial | undefined
let port = 0
let key = { secret: '', workspaceId: '' }
/** The accounts, and the texts that were accepted so far. */
let connections: string[] = []
const texts: string[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-release-'))
  copy = join(dir, 'copy')
  port = await freePort()
  registry = await startRegistry(join(dir, 'registry'))
})

afterAll(async () => {
  try {
    await trial?.stop()
  } finally {
    await registry?.stop()
    await rm(dir, { recursive: true, force: true })
  }
}, 180_000)

const inCopy = (command: string, ...args: string[]) => runCommand(command, args, { cwd: copy })
const npm = (...args: string[]) => runCommand('npm', args, { cwd: dir, env: registry.env })
const api = () => createCarillon({ baseUrl: `http://localhost:${port}/api`, apiKey: key.secret, workspaceId: key.workspaceId })
const timeAfter = (ms: number) => new Date(Date.now() + ms).toISOString()

/** Sets the version as the guide says, builds the package and publishes it. Returns what the command that sets the version printed. */
async function release(version: string): Promise<string> {
  const printed = await inCopy('pnpm', '-s', 'exec', 'node', 'scripts/set-version.ts', version)
  const pending = (await readdir(join(copy, '.changeset'))).filter((name) => name.endsWith('.md') && name !== 'README.md')
  if (pending.length > 0) await inCopy('pnpm', '-s', 'exec', 'changeset', 'version')
  await inCopy('git', 'add', '--all')
  await inCopy('git', 'commit', '--quiet', '--message', `Release ${version}`)
  await inCopy('pnpm', '-s', 'build')
  await npm('publish', join(copy, 'dist'), '--access', 'public')
  return printed
}

/** Installs a version as a person does who has Node, and starts it with the data of before. */
async function runGlobal(version: string, name = version): Promise<Trial> {
  const prefix = join(dir, 'global')
  await npm('install', '--global', '--prefix', prefix, `carillon@${name}`)
  const command = join(prefix, 'bin/carillon')
  expect((await runCommand(command, ['--version'], { cwd: dir, env: registry.env })).trim()).toContain(version)
  return startTrial({ command, args: [], cwd: dir, env: registry.env, data: join(dir, 'data'), port })
}

/** Publishes a text and returns how it ended on each account. */
async function publish(text: string): Promise<string[]> {
  const { uploadId } = await api().content.createText({ connections, text })
  texts.push(text)
  return waitForResults(uploadId)
}

async function waitForResults(uploadId: string): Promise<string[]> {
  const { channels } = await api().content.waitUntilFinished(uploadId, { timeoutMs: 120_000 })
  return channels.map(({ result }) => result.status)
}

const success = () => connections.map(() => 'success')

/** Every text is known to the API, and each platform has it once. */
async function expectNothingLost(): Promise<void> {
  const known = await Array.fromAsync(api().content.iterate(), ({ text }) => text)
  expect(known.toSorted()).toEqual(texts.toSorted())
  for (const text of texts) {
    const response = await fetch(`${trial?.simulatorUrl}/_control/posts?text=${encodeURIComponent(text)}`)
    const posts = (await response.json()) as unknown[]
    expect([text, posts.length]).toEqual([text, connections.length])
  }
}

test('the version is set in a copy of the repository, and no file keeps the old one', async () => {
  await copyRepository(copy)
  await inCopy('git', 'init', '--quiet')
  await inCopy('git', 'config', 'user.email', 'release@example.com')
  await inCopy('git', 'config', 'user.name', 'Release')
  await inCopy('git', 'add', '--all')
  await inCopy('git', 'commit', '--quiet', '--message', 'Before the release')
  await inCopy('pnpm', 'install', '--frozen-lockfile', '--prefer-offline')
  expect(await release('1.0.0')).not.toContain('still name')
  expect((await inCopy('git', 'status', '--porcelain')).trim()).toBe('')
  expect(await readFile(join(copy, 'CHANGELOG.md'), 'utf8')).toMatch(/^## 1\.0\.0 \(\d{4}-\d\d-\d\d\)$/m)
  const { info } = JSON.parse(await readFile(join(copy, 'contract/openapi.json'), 'utf8')) as { info: { version: string } }
  expect(info.version).toBe('1.0.0')
})

test('the same version cannot be published twice', async () => {
  await expect(npm('publish', join(copy, 'dist'), '--access', 'public')).rejects.toThrow(
    /previously published|EPUBLISHCONFLICT|409/,
  )
})

test('npx starts the release, and the first person publishes a first post on simulated accounts', async () => {
  const cwd = join(dir, 'empty')
  await mkdir(cwd)
  const args = ['--yes', 'carillon@1.0.0']
  trial = await startTrial({ command: 'npx', args, cwd, env: registry.env, data: join(dir, 'data'), port })
  const origin = `http://localhost:${port}`
  const headers = { origin, 'content-type': 'application/json' }
  const account = { name: 'Ada', email: 'ada@example.com', password: 'a long enough passphrase', workspace: 'Bells' }
  const first = await fetch(`${origin}/auth/first-run`, { method: 'POST', headers, body: JSON.stringify(account) })
  expect(first.status).toBe(201)
  const { data } = (await first.json()) as { data: { workspaceId: string } }
  const cookie = first.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const asAda = async <T>(path: string, body: object): Promise<T> => {
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { ...headers, cookie, 'x-workspace-id': data.workspaceId },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { data: T }
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${JSON.stringify(answer)}`)
    return answer.data
  }
  const connected = (await asAda<{ slug: string }[]>('/integrations/simulated', {})).map(({ slug }) => slug)
  // Not every platform takes a text alone.
  connections = connected.filter((slug) => /^(?:bluesky|mastodon|x|threads|linkedin)-/.test(slug))
  const { key: secret } = await asAda<{ key: string }>(`/api/workspaces/${data.workspaceId}/api-keys`, { label: 'release' })
  key = { secret, workspaceId: data.workspaceId }
  expect(connections.length).toBeGreaterThan(2)
  expect(await publish('release: the first post')).toEqual(success())
  await expectNothingLost()
})

test('a program with the published SDK publishes through it', async () => {
  const archive = join(dir, 'sdk.tgz')
  await runCommand('pnpm', ['pack', '--out', archive], { cwd: join(copy, 'sdk') })
  await npm('publish', archive, '--access', 'public')
  const program = join(dir, 'program')
  await mkdir(program)
  await writeFile(join(program, 'package.json'), '{"type":"module","private":true}')
  await runCommand('npm', ['install', '@carillon/sdk'], { cwd: program, env: registry.env })
  const text = 'release: from the SDK'
  await writeFile(
    join(program, 'publish.js'),
    `import { createCarillon } from '@carillon/sdk'
const { URL, KEY, WORKSPACE, CONNECTION } = process.env
const carillon = createCarillon({ baseUrl: URL, apiKey: KEY, workspaceId: WORKSPACE })
const { uploadId } = await carillon.content.createText({ connections: CONNECTION.split(','), text: ${JSON.stringify(text)} })
console.log((await carillon.content.waitUntilFinished(uploadId)).status)
`,
  )
  const env = {
    ...registry.env,
    URL: `http://localhost:${port}/api`,
    KEY: key.secret,
    WORKSPACE: key.workspaceId,
    CONNECTION: connections.join(','),
  }
  expect((await runCommand('node', ['publish.js'], { cwd: program, env })).trim()).toBe('completed')
  texts.push(text)
})

test('the next release is made and goes on with the data: what fell due in between is published', async () => {
  expect(await release('1.0.1')).not.toContain('still name')
  const text = 'release: due during the upgrade'
  const { uploadId } = await api().content.createText({ connections, text, scheduledAt: timeAfter(15_000) })
  texts.push(text)
  await trial?.stop()
  trial = await runGlobal('1.0.1', 'latest')
  expect(await waitForResults(uploadId)).toEqual(success())
  expect(await publish('release: with the next release')).toEqual(success())
  await expectNothingLost()
})

test('one release back works, and nothing is lost', async () => {
  const text = 'release: due while going back'
  const { uploadId } = await api().content.createText({ connections, text, scheduledAt: timeAfter(10_000) })
  texts.push(text)
  await trial?.stop()
  trial = await runGlobal('1.0.0')
  expect(await waitForResults(uploadId)).toEqual(success())
  expect(await publish('release: back on the first release')).toEqual(success())
  await expectNothingLost()
})
