import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root, runCommand, waitUntil } from '@carillon/stack/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePng } from '../support/png.ts'
import { makeInstallation, openBrowser, type Ask } from './installation.ts'
import { readTasks } from './read-tasks.ts'
import { startImageRegistry, type ImageRegistry } from './start-image-registry.ts'

/**
 * Guarantee: what the guides say about containers works, from a clone without a published image: the start, the first post, an installation
 * without a mail server, restarts, backups, restores, upgrades, a proxy of one's own, and the end. Each test needs the one before it.
 */
const tasks = readTasks()
const ports = { http: 18_080, https: 18_443, simulator: 18_410, own: 18_300 }
const ada = { email: 'ada@example.com', password: 'a long enough passphrase' }
const bob = { email: 'bob@example.com', password: 'another long passphrase' }

let box: Awaited<ReturnType<typeof makeInstallation>>
let port = ports.http
const asAda = openBrowser(() => port)
let workspace = ''
let accounts: string[] = []
let photo = { id: '', thumbnailUrl: '' }
let registry: ImageRegistry | undefined
/** The image as the registry gave it, by its digest. */
let released = ''

beforeAll(async () => {
  box = await makeInstallation({ ports })
})
afterAll(async () => {
  await registry?.stop()
  await box?.remove()
  if (released !== '') await runCommand('docker', ['image', 'rm', '--force', released]).catch(() => '')
}, 120_000)

/** Runs the commands of a task of the guide, with other words for its examples, and returns what they printed. */
async function doTask(
  title: string,
  words: Record<string, string> = {},
  part: (lines: readonly string[]) => readonly string[] = (all) => all,
) {
  const lines = tasks.get(title)
  if (!lines || lines.length === 0) throw new Error(`the guide has no commands for "${title}"`)
  let printed = ''
  for (const line of part(lines)) {
    const replaced = Object.entries(words).reduce((text, [from, to]) => text.replaceAll(from, to), line)
    printed += await box.run(replaced)
  }
  return printed
}

type Channel = { result: { status: string } }

/** Publishes the photo on all accounts and returns what became of it on each. */
async function publish(text: string): Promise<string[]> {
  const json = { connections: accounts, text, medias: [photo.id] }
  const made = await asAda<{ uploadId: string }>('/api/content/photos', { json, workspace })
  if (made.status >= 300) throw new Error(`the post was refused: ${made.status} ${made.text}`)
  return waitForPost(made.data.uploadId)
}

async function waitForPost(id: string): Promise<string[]> {
  let statuses: string[] = []
  await waitUntil(
    async () => {
      const { data } = await asAda<{ channels: Channel[] }>(`/api/content/${id}`, { workspace })
      statuses = data.channels.map(({ result }) => result.status)
      return statuses.every((status) => ['success', 'failed', 'unconfirmed'].includes(status))
    },
    { what: 'the post is published', withinMs: 120_000, everyMs: 500 },
  )
  return statuses
}

async function listTexts(): Promise<string[]> {
  const { data } = await asAda<{ data: { text: string }[] }>('/api/content?limit=50', { workspace })
  return data.data.map(({ text }) => text).toSorted()
}

async function askReady(): Promise<[number, string]> {
  const { status, text } = await asAda('/health/ready')
  return [status, text]
}

/** The health of each running container, as `docker compose ps` shows it. */
async function listHealth(): Promise<Record<string, string>> {
  const lines = (await box.run('docker compose ps --format "{{.Service}} {{.Health}}"')).trim().split('\n')
  return Object.fromEntries(lines.map((line) => line.split(' ')))
}

async function waitForHealth(wanted: Record<string, string>): Promise<void> {
  await waitUntil(
    async () => {
      const health = await listHealth()
      return Object.entries(wanted).every(([service, state]) => health[service] === state)
    },
    { what: `the health to be ${JSON.stringify(wanted)}`, withinMs: 300_000, everyMs: 2000 },
  )
}

/** When the container of a service was started. */
async function startedAt(service: string): Promise<string> {
  const id = (await box.run(`docker compose ps --quiet ${service}`)).trim()
  return runCommand('docker', ['inspect', '--format', '{{.Id}} {{.State.StartedAt}}', id])
}

const waitUntilReady = () =>
  waitUntil(async () => (await asAda('/health/ready')).status === 200, {
    what: 'the installation is ready',
    withinMs: 120_000,
    everyMs: 1000,
  })

const signIn = (ask: Ask, person: { email: string; password: string }) => ask('/auth/sign-in/email', { json: person })

test('the first command builds the image and starts everything', async () => {
  await doTask('')
  const size = Number(await runCommand('docker', ['image', 'inspect', '--format', '{{.Size}}', box.image]))
  console.log(`the image with video has ${Math.round(size / 1e6)} MB`)
  expect(size).toBeLessThan(450e6)
  // The command has waited until posts are sent.
  expect(await askReady()).toEqual([200, expect.any(String)])
})

test('the container has no shell, no root and no password of the database superuser', async () => {
  await expect(box.run('docker compose exec -T carillon sh -c true')).rejects.toThrow('executable file not found')
  const look = `docker compose exec -T carillon /usr/bin/node -p "process.getuid() + fs.readFileSync('/secrets/carillon.env', 'utf8')"`
  const printed = await box.run(look)
  expect(printed).toMatch(/^10001/)
  expect(printed).toContain('CARILLON_DATABASE_APP_URL=postgres://carillon_service_app:')
  expect(printed).not.toMatch(/^DATABASE_URL=/m)
  expect(await box.run(`docker compose exec -T carillon node -p "fs.existsSync('/owner')"`)).toBe('false\n')
})

test('the image names its Debian packages, so that scanners find their gaps', async () => {
  const list = `docker compose exec -T carillon node -p "fs.readdirSync('/var/lib/dpkg/status.d').join(' ')"`
  expect((await box.run(list)).trim().split(' ')).toEqual(expect.arrayContaining(['bubblewrap', 'ffmpeg', 'libc6']))
})

/** The first person of an empty installation creates an account with the code in the log, and publishes a photo on simulated accounts. */
async function publishFirstPost(): Promise<void> {
  const log = await box.run('docker compose logs --no-log-prefix carillon')
  const setupCode = /setup code ((?:[0-9A-F]{4}-){3}[0-9A-F]{4})/.exec(log)?.[1]
  const first = await asAda<{ workspaceId: string }>('/auth/first-run', {
    json: { ...ada, name: 'Ada', workspace: 'Bells', setupCode },
  })
  expect([first.status, first.text]).toEqual([201, expect.any(String)])
  workspace = first.data.workspaceId
  const connected = await asAda<{ slug: string; platform: string }[]>('/integrations/simulated', { json: {}, workspace })
  const platforms = await asAda<{ platform: string; formats: string[] }[]>('/api/platforms', { workspace })
  const withPhotos = platforms.data.filter(({ formats }) => formats.includes('photo')).map(({ platform }) => platform)
  expect(withPhotos.length).toBeGreaterThan(7)
  accounts = connected.data.filter(({ platform }) => withPhotos.includes(platform)).map(({ slug }) => slug)
  const form = new FormData()
  form.set('file', new File([makePng(3)], 'bell.png'))
  photo = (await asAda<typeof photo>('/api/media/upload', { form, workspace })).data
  expect(await publish('The first bell')).toEqual(accounts.map(() => 'success'))
}

test(
  'the first person creates an account with the code in the log, and publishes a photo on simulated accounts',
  publishFirstPost,
)

/** Guarantee: nobody reaches the engine or the database by naming their addresses. */
test('addresses of the engine, of the database and of the service itself are refused', async () => {
  const addresses = JSON.parse(
    await box.run(
      `docker compose exec -T carillon /usr/bin/node -p "Promise.all(['engine', 'postgres', 'carillon'].map(async (name) => (await require('dns/promises').lookup(name)).address)).then((all) => console.log(JSON.stringify(all))), ''"`,
    ),
  ) as string[]
  expect(addresses).toHaveLength(3)
  for (const url of [
    ...addresses.map((ip) => `https://${ip}:9070/`),
    'https://engine:9070/',
    'https://postgres:5432/',
    'https://carillon:9080/',
  ]) {
    const { status } = await asAda('/api/webhooks', { json: { url, events: ['upload.completed'] }, workspace })
    expect([url, status]).toEqual([url, 422])
  }
})

test('without a mail server, a second person joins with the link that the inviter copies', async () => {
  const invited = await asAda<{ link: string; mail: string }>(`/api/workspaces/${workspace}/invitations`, {
    json: { email: bob.email, role: 'editor' },
    workspace,
  })
  expect([invited.status, invited.data.mail]).toEqual([201, 'not_configured'])
  const token = new URL(invited.data.link).searchParams.get('token')
  const asBob = openBrowser(() => port)
  const joined = await asBob<{ next: string }>(`/invitations/accept?token=${token}`, {
    json: { name: 'Bob', password: bob.password },
  })
  expect([joined.status, joined.data.next]).toEqual([200, 'signed_in'])
  const { data } = await asBob<{ id: string }[]>('/api/workspaces')
  expect(data.map(({ id }) => id)).toEqual([workspace])
  expect(
    (
      await signIn(
        openBrowser(() => port),
        bob,
      )
    ).status,
  ).toBe(200)
})

test('a forgotten password is set again with the link of the documented command', async () => {
  const printed = await doTask('Let people in without a mail server')
  const token = /token=([\w-]+)/.exec(printed)?.[1]
  const changed = { ...ada, password: 'a passphrase that is not forgotten' }
  const someone = openBrowser(() => port)
  expect((await signIn(someone, changed)).status).toBe(401)
  expect((await someone('/auth/reset-password', { json: { token, newPassword: changed.password } })).status).toBe(200)
  expect((await signIn(asAda, changed)).status).toBe(200)
  Object.assign(ada, changed)
  expect(await listTexts()).toEqual(['The first bell'])
})

test('the tasks that only look succeed', async () => {
  expect(await doTask('Check the installation')).not.toContain('FAIL')
  expect(await doTask('Read the logs')).toContain('carillon is up')
  expect(await doTask('Limit the memory')).toContain('MEM')
})

test('each container can be restarted, and posts are published afterwards', async () => {
  // The simulator lives in the network of the proxy.
  for (const service of ['postgres', 'engine', 'carillon', 'proxy', 'simulator']) {
    await box.run(`docker compose restart ${service}`)
    await waitUntilReady()
  }
  await box.run('docker compose stop')
  await box.run('docker compose start')
  await waitUntilReady()
  expect(await publish('After the restarts')).toEqual(accounts.map(() => 'success'))
}, 900_000)

/** Guarantee: nobody has to find out by a post that is missing, and nobody loses the app in which the reason stands. */
test('without the engine, "publishing" is unhealthy and the app is there, until the engine is back', async () => {
  // After the restarts, Docker asks every few seconds, and a busy machine answers late.
  await waitForHealth({ carillon: 'healthy', publishing: 'healthy' })
  await box.run('docker compose stop engine')
  await waitForHealth({ carillon: 'healthy', publishing: 'unhealthy' })
  expect((await asAda('/health/accepting')).status).toBe(200)
  // It is asked again and again; on a busy machine, one of the answers may be a timeout.
  const lastLine = () => box.run('docker compose logs --no-log-prefix --tail 1 publishing')
  await expect.poll(lastLine, { timeout: 120_000, interval: 2_000 }).toMatch(/posts are NOT sent: 503 .*engine/)
  await box.run('docker compose start engine')
  await waitForHealth({ carillon: 'healthy', publishing: 'healthy' })
  await doTask('')
}, 1_200_000)

let backup = ''
let takenAt = ''
const words = () => ({
  'carillon-20261116T075000Z': backup,
  '2026-11-16T07:50:00Z': takenAt,
  '2026-11-16T09:10:00Z': new Date().toISOString(),
})
const sameMachine = 'On the same machine, with containers'

/** The guide says how its commands begin with containers. */
const finishRestore = () =>
  doTask('Finish a restore', { 'carillon restore': 'docker compose exec -T carillon carillon restore', ...words() }, (lines) =>
    lines.filter((line) => line.startsWith('carillon restore finish')),
  )

test('a backup is restored on the same machine, and says what may have been lost', async () => {
  await doTask('With containers')
  backup = (await readdir(join(box.deploy, 'backups'))).find((name) => name.startsWith('carillon-')) ?? ''
  takenAt = backup.replace(/^carillon-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')
  await publish('After the backup')
  await doTask(sameMachine, words())
  await waitUntil(async () => (await asAda('/health/ready')).text.includes('restore'), {
    what: 'the service to say that it was restored',
    withinMs: 120_000,
    everyMs: 1000,
  })
  expect((await signIn(asAda, ada)).status).toBe(200)
  await finishRestore()
  await waitUntilReady()
  // Finishing a restore ends all sessions.
  expect((await signIn(asAda, ada)).status).toBe(200)
  expect(await listTexts()).toEqual(['After the restarts', 'The first bell'])
  expect(await publish('After the restore')).toEqual(accounts.map(() => 'success'))
}, 900_000)

test('the backup, the secrets and the media are restored on another machine', async () => {
  await box.run('docker compose down --volumes')
  await doTask('On another machine, with containers', words())
  await finishRestore()
  await waitUntilReady()
  expect((await signIn(asAda, ada)).status).toBe(200)
  expect(await listTexts()).toEqual(['After the restarts', 'The first bell'])
  const { pathname, search } = new URL(photo.thumbnailUrl, 'http://localhost')
  expect((await asAda(pathname + search)).status).toBe(200)
}, 900_000)

test('another image takes over, and the first one again', async () => {
  await runCommand('docker', ['tag', box.image, `${box.image}-next`])
  const running = () => box.run('docker compose ps --format "{{.Image}}" carillon')
  const start = (lines: readonly string[]) => lines.filter((line) => line.startsWith('docker compose up')).slice(0, 1)
  const before = await Promise.all(['postgres', 'engine'].map(startedAt))
  await box.configure({ COMPOSE_FILE: box.withSimulator, CARILLON_IMAGE: `${box.image}-next` })
  await doTask('Upgrade, and go back', {}, start)
  expect((await running()).trim()).toBe(`${box.image}-next`)
  await waitUntilReady()
  await box.configure({ COMPOSE_FILE: box.withSimulator })
  await doTask('Upgrade, and go back', {}, start)
  expect((await running()).trim()).toBe(box.image)
  await waitUntilReady()
  expect(await listTexts()).toContain('The first bell')
  // A new version of Carillon is no reason to stop the database or the engine.
  expect(await Promise.all(['postgres', 'engine'].map(startedAt))).toEqual(before)
}, 900_000)

test('behind a proxy of one’s own, the service answers on a loopback port and the other proxy is gone', async () => {
  await box.configure({ COMPOSE_FILE: 'compose.yaml:compose.own-proxy.yaml:compose.build.yaml' })
  await doTask('Use a proxy that you have')
  port = ports.own
  expect((await asAda('/health/live')).status).toBe(200)
  const services = (await box.run('docker compose ps --services')).trim().split('\n')
  expect(services).toEqual(expect.arrayContaining(['carillon', 'engine', 'postgres']))
  expect(services).not.toContain('proxy')
}, 600_000)

test('uninstalling leaves no container and no volume', async () => {
  await doTask('Stop and uninstall')
  const filter = ['--filter', `label=com.docker.compose.project=${box.project}`]
  expect(
    await runCommand('docker', [
      'ps',
      '--all',
      '--quiet',
      '--filter',
      `label=com.docker.compose.project=${box.project}`,
      '--filter',
      'label=com.docker.compose.service=carillon',
    ]),
  ).toBe('')
  const volumes = (await runCommand('docker', ['volume', 'ls', '--format', '{{.Name}}', ...filter])).split('\n')
  expect(volumes.filter((name) => !/^$|_simulator-data$|_proxy-/.test(name))).toEqual([])
}, 300_000)

test('the image without video is small', async () => {
  await box.configure({
    COMPOSE_FILE: 'compose.yaml:compose.build.yaml',
    CARILLON_VIDEO: 'no',
    CARILLON_IMAGE: `${box.image}-next`,
  })
  await box.run('docker compose build carillon')
  const size = Number(await runCommand('docker', ['image', 'inspect', '--format', '{{.Size}}', `${box.image}-next`]))
  console.log(`the image without video has ${Math.round(size / 1e6)} MB`)
  expect(size).toBeLessThan(250e6)
}, 600_000)

/** Guarantee: what a release pushes is what a stranger pulls: the same bytes, which start without being built and publish a first post. */
test('as in a release, the image goes to a registry, is pulled by its digest where nothing is known of it, and publishes', async () => {
  registry = await startImageRegistry(join(box.deploy, '../registry'))
  const docker = (...args: string[]) => runCommand('docker', args)
  const [local, name] = [`${box.image}-next`, `${registry.host}/carillon-dev/carillon`]
  const tag = `${name}:1.0.0`
  await docker('tag', local, `${tag}-amd64`)
  await docker('push', '--quiet', `${tag}-amd64`)
  // A release joins the images of two kinds of processor; here there is one.
  await docker('buildx', 'imagetools', 'create', '--tag', tag, `${tag}-amd64`)
  // The workflow's own line: what it prints is what is signed.
  const workflow = await readFile(join(root, '.github/workflows/release.yml'), 'utf8')
  const askDigest = /digest=\$\((docker buildx .*)\)$/m.exec(workflow)?.[1] ?? ''
  const digest = (await runCommand('sh', ['-c', askDigest], { env: { IMAGE: name, tag: '1.0.0' } })).trim()
  expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/)
  await docker('image', 'rm', '--force', local, box.image, `${tag}-amd64`)
  await expect(docker('image', 'inspect', local)).rejects.toThrow(/no such image/i)

  released = `${name}@${digest}`
  await box.configure({ COMPOSE_FILE: 'compose.yaml:compose.try.yaml', CARILLON_IMAGE: released })
  expect(await docker('pull', released)).toContain('Downloaded')
  await box.run('docker compose up --detach --wait --no-build --pull missing')
  expect((await box.run('docker compose ps --format "{{.Image}}" carillon')).trim()).toContain(digest)
  port = ports.http
  await waitUntilReady()
  await publishFirstPost()
  expect(await listTexts()).toEqual(['The first bell'])
}, 900_000)
