import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

// Does what a new user does with a running installation with simulated platforms, by HTTP: creates the first account with the setup code
// from the log, connects all simulated accounts, uploads a photo and publishes it on each, and schedules a post. With `--again` it signs in
// after a restart and checks that everything is still there and that the scheduled post was published once.

const { values } = parseArgs({
  options: {
    site: { type: 'string', default: 'http://localhost' },
    /** The command that prints the log of the server. */
    log: { type: 'string', default: 'docker compose -f deploy/compose.yaml logs --no-log-prefix carillon' },
    photo: { type: 'string', default: 'docs/pictures/composer.png' },
    again: { type: 'boolean', default: false },
    'due-seconds': { type: 'string', default: '90' },
  },
})
const { site } = values
const account = { email: 'ada@example.com', password: 'a long enough passphrase' }
let cookie = ''

type Channel = { connection?: { platform?: string }; result: { status: string; postUrl: string | null } }
type Post = { uploadId: string; text?: string; channels: Channel[] }

async function request<T>(
  path: string,
  { body, form, workspace }: { body?: unknown; form?: FormData; workspace?: string } = {},
): Promise<T> {
  const response = await fetch(site + path, {
    method: body === undefined && !form ? 'GET' : 'POST',
    body: form ?? (body === undefined ? null : JSON.stringify(body)),
    headers: {
      origin: site,
      ...(cookie && { cookie }),
      ...(workspace && { 'x-workspace-id': workspace }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
  })
  const set = response.headers.getSetCookie().map((each) => each.split(';')[0])
  if (set.length > 0) cookie = set.join('; ')
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 500)}`)
  return (JSON.parse(text) as { data: T }).data
}

function readSetupCode(): string {
  const log = execFileSync('sh', ['-c', values.log], { encoding: 'utf8', maxBuffer: 64e6 })
  const code = /setup code ((?:[0-9A-F]{4}-){3}[0-9A-F]{4})/.exec(log)?.[1]
  if (!code) throw new Error('the log has no setup code')
  return code
}

async function waitForPost(id: string, workspace: string, withinMs: number): Promise<Post> {
  const end = Date.now() + withinMs
  for (;;) {
    const post = await request<Post>(`/api/content/${id}`, { workspace })
    if (post.channels.every(({ result }) => ['success', 'failed', 'unconfirmed'].includes(result.status))) return post
    if (Date.now() > end) throw new Error(`not finished in time: ${JSON.stringify(post.channels.map(({ result }) => result))}`)
    await sleep(500)
  }
}

const report = (post: Post) => post.channels.map(({ result }) => result.status).join(', ')

async function firstTime(): Promise<void> {
  const begin = Date.now()
  const { workspaceId } = await request<{ workspaceId: string }>('/auth/first-run', {
    body: { ...account, name: 'Ada', workspace: 'Bells', setupCode: readSetupCode() },
  })
  const workspace = workspaceId
  const connections = await request<{ slug: string; platform: string }[]>('/integrations/simulated', { body: {}, workspace })
  console.log(`connected: ${connections.map(({ platform }) => platform).join(', ')}`)
  const form = new FormData()
  form.set('file', new File([await readFile(values.photo)], 'photo.png'))
  const media = await request<{ id: string }>('/api/media/upload', { form, workspace })
  const slugs = connections.map(({ slug }) => slug)
  const photo = await request<{ uploadId: string }>('/api/content/photos', {
    body: { connections: slugs, text: 'The bells at noon', medias: [media.id] },
    workspace,
  })
  console.log(`photo: ${report(await waitForPost(photo.uploadId, workspace, 120_000))} after ${Date.now() - begin} ms`)
  const scheduledAt = new Date(Date.now() + Number(values['due-seconds']) * 1000).toISOString()
  const later = await request<{ uploadId: string }>('/api/content/text', {
    body: { connections: slugs.slice(0, 1), text: 'The bells in the evening', scheduledAt },
    workspace,
  })
  console.log(JSON.stringify({ workspace, photo: photo.uploadId, later: later.uploadId, scheduledAt }))
}

async function secondTime(): Promise<void> {
  await request('/auth/sign-in/email', { body: account })
  const [space] = await request<{ id: string }[]>('/api/workspaces')
  const workspace = space?.id ?? ''
  const { data: posts } = await request<{ data: { uploadId: string }[] }>('/api/content?limit=10', { workspace })
  for (const { uploadId } of posts) console.log(`${uploadId}: ${report(await waitForPost(uploadId, workspace, 240_000))}`)
  if (posts.length !== 2) throw new Error(`there are ${posts.length} posts instead of 2`)
}

await (values.again ? secondTime() : firstTime())
