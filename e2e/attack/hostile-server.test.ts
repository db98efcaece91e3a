import { createCarillon, type Carillon } from '@carillon/sdk'
import { beforeAll, expect, test } from 'vitest'
import { newAddress } from '../support/browser.ts'
import { callData } from '../support/call.ts'
import { authorizeAccount, confirmAccount, signInAdmin } from '../support/connect-account.ts'
import { writeEndlessly, writeSlowly } from '../support/hostile/endless-body.ts'
import { answerJson, useSocialServer, type SocialAnswer } from '../support/hostile/hostile-social-server.ts'
import { connectNames, createPerson } from '../support/server-env.ts'
import { testStack, timeAfter, uniqueText } from '../test-stack.ts'

/** Guarantees: a server that a person chose harms nobody but that person, whatever it answers. */

const hugeName = '🔔'.repeat(60_000)

/** How the server treats a new status of each of its accounts. */
const treatments: Record<string, SocialAnswer> = {
  unreadableId: (_, response) => answerJson(response, { id: '1\u00002', url: 'javascript:alert(1)' }),
  longId: (_, response) => answerJson(response, { id: '9'.repeat(5_000), url: `https://social.example/${'9'.repeat(5_000)}` }),
  lostAnswer: (_, response) => void response.socket?.destroy(),
  endless(_, response) {
    writeEndlessly(response.writeHead(200, { 'content-type': 'application/json' }))
  },
  slow(_, response) {
    writeSlowly(response.writeHead(200, { 'content-type': 'application/json' }))
  },
  deep: (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(900_000)),
  redirect: (_, response) => void response.writeHead(307, { location: '/canary' }).end(),
  prototype: (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"__proto__":{"id":"1"},"constructor":{"prototype":{"polluted":true}},"id":"2","url":"file:///etc/passwd"}'),
  // Unlike Mastodon, it makes a second status of a repeated key.
  victim: (_, response) => answerJson(response, { id: String(++victimPosts), url: `https://social.example/${victimPosts}` }),
}
let victimPosts = 0

const answer: SocialAnswer = (call, response) => {
  const account = String(call.headers.authorization).replace('Bearer ', '')
  const { pathname, searchParams } = new URL(call.path, 'http://social.example')
  if (pathname === '/api/v1/apps') return answerJson(response, { client_id: 'id', client_secret: 'secret' })
  if (pathname === '/oauth/authorize') {
    const back = new URL(searchParams.get('redirect_uri') ?? '')
    back.searchParams.set('state', searchParams.get('state') ?? '')
    back.searchParams.set('code', 'code')
    return void response.writeHead(302, { location: back.href }).end()
  }
  if (pathname === '/oauth/token') return answerJson(response, { access_token: 'hugeName', token_type: 'Bearer' })
  if (pathname === '/api/v1/accounts/verify_credentials')
    return answerJson(response, {
      id: 'hugeName',
      username: hugeName,
      acct: hugeName,
      display_name: hugeName,
      avatar: 'javascript:alert(1)',
    })
  if (pathname === '/api/v1/statuses') return treatments[account]?.(call, response)
  if (pathname.endsWith('/statuses')) {
    const content = '<'.repeat(900_000)
    return answerJson(response, [{ id: '1', url: null, created_at: new Date().toISOString(), content }])
  }
  return void response.writeHead(404).end()
}

const social = useSocialServer(answer)
/** The server of the victim, which is another one. */
const honest = useSocialServer(answer)

type Tenant = { client: Carillon; workspaceId: string }
let attacker: Tenant
let victim: Tenant

async function createTenant(name: string): Promise<Tenant> {
  const { workspaceId, apiKey } = await createPerson(newAddress(name))
  return { client: createCarillon({ baseUrl: testStack.baseUrl, apiKey, workspaceId }), workspaceId }
}
beforeAll(async () => {
  attacker = await createTenant('attacker')
  victim = await createTenant('victim')
}, 60_000)

type Longest = { serviceMs: number; simulatorMs: number }

/**
 * Asks all the time whether the service answers. `stop` returns the longest time that it took, and that of the simulator, which nobody attacks:
 * on a busy machine both are slow.
 */
function watchHealth(): () => Promise<Longest> {
  const longest: Longest = { serviceMs: 0, simulatorMs: 0 }
  let isOver = false
  const ask = async (name: keyof Longest, url: URL) => {
    const begin = performance.now()
    const { ok } = await fetch(url)
    expect(ok).toBe(true)
    longest[name] = Math.max(longest[name], performance.now() - begin)
  }
  const watching = (async () => {
    while (!isOver) {
      await ask('serviceMs', new URL('/health/live', testStack.baseUrl))
      await ask('simulatorMs', new URL('/_control/faults', testStack.simulatorUrl))
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })()
  return async () => {
    isOver = true
    await watching
    return longest
  }
}

type Account = { name: string; slug: string }

async function schedule({ client }: Tenant, { name, slug }: Account, scheduledAt: string): Promise<string> {
  const { uploadId } = await client.content.createText({ connections: [slug], text: uniqueText(name), scheduledAt })
  return uploadId ?? ''
}

async function resultOf({ client }: Tenant, id: string) {
  const { channels } = await client.content.get(id)
  return channels[0]
}

test(
  'guarantee: hostile answers delay and double no post of another tenant, and stop nothing',
  { timeout: 300_000 },
  async () => {
    const names = Object.keys(treatments).filter((name) => name !== 'victim')
    const stopQuiet = watchHealth()
    const slugs = await connectNames(attacker.workspaceId, social.url(), names)
    const hostile: Account[] = names.map((name, n) => ({ name, slug: slugs[n] ?? '' }))
    const [victimSlug = ''] = await connectNames(victim.workspaceId, honest.url(), ['victim'])
    const victimAccount = { name: 'victim', slug: victimSlug }
    const quiet = await stopQuiet()
    // Connecting takes a while, so the time is chosen after it.
    const scheduledAt = timeAfter(15_000)
    const ids = new Map<string, string>()
    for (const account of hostile) ids.set(account.name, await schedule(attacker, account, scheduledAt))
    const victimId = await schedule(victim, victimAccount, scheduledAt)
    const stop = watchHealth()
    await expect
      .poll(() => social.calls('POST', '/api/v1/statuses').length, { timeout: 90_000, interval: 500 })
      .toBeGreaterThanOrEqual(hostile.length)
    await victim.client.content.waitUntilFinished(victimId, { timeoutMs: 60_000 })
    const answers = await victim.client.content.get(victimId)
    expect(answers.channels).toMatchObject([{ result: { status: 'success', postUrl: 'https://social.example/1' } }])
    const lateMs = Date.parse(answers.channels[0]?.result.publishedAt ?? '') - Date.parse(scheduledAt)

    // Each of these is published, as the server says, and nothing of the answer is dangerous to show.
    for (const account of ['longId', 'prototype']) {
      await attacker.client.content.waitUntilFinished(ids.get(account) ?? '', { timeoutMs: 60_000 })
      expect({ account, ...(await resultOf(attacker, ids.get(account) ?? '')) }).toMatchObject({
        account,
        result: { status: 'success', postUrl: null },
      })
    }
    // Time for the questions about lost answers, and for repeats.
    await new Promise((resolve) => setTimeout(resolve, 20_000))
    const longest = await stop()
    console.log(
      `longest answers during the attack ${JSON.stringify(longest)}, before ${JSON.stringify(quiet)}; the victim's post was ${lateMs} ms late`,
    )
    expect(longest.serviceMs).toBeLessThan(Math.max(1000, 5 * quiet.serviceMs, 3 * longest.simulatorMs))
    // A wait for one of the calls that hang would be longer: they are given up after 30 seconds.
    expect(lateMs).toBeLessThan(25_000)
    expect(honest.calls('POST', '/api/v1/statuses')).toHaveLength(1)
    expect(social.calls('POST', '/canary')).toEqual([])
    expect(social.calls('GET', '/canary')).toEqual([])
    // What nobody can know is not called published, and an id that nobody can read names no post.
    for (const account of ['unreadableId', 'lostAnswer', 'endless', 'slow', 'deep'])
      expect({ account, ...(await resultOf(attacker, ids.get(account) ?? '')) }).not.toMatchObject({
        result: { status: 'success' },
      })
    await Promise.all([...ids.values()].map((id) => attacker.client.content.remove(id).catch(() => {})))
  },
)

test('guarantee: the names of an account are bounded, and its picture is no script', async () => {
  const admin = await signInAdmin(testStack.workspaceId)
  const address = await authorizeAccount({ platform: 'mastodon', handle: 'huge', body: { instanceUrl: social.url() } })
  expect(await confirmAccount(admin, address)).toMatchObject({ status: 200 })
  type Connection = {
    id: string
    slug: string
    handle: string
    displayName: string
    avatarUrl: string | null
    instanceUrl: string | null
  }
  const list = await callData<Connection[]>(`GET /workspaces/${testStack.workspaceId}/connections`)
  const made = list.filter(({ instanceUrl }) => instanceUrl === social.url())
  expect(made).toMatchObject([{ avatarUrl: null }])
  expect([made[0]?.handle.length, made[0]?.displayName.length].every((length) => (length ?? 0) <= 255)).toBe(true)
  await callData(`DELETE /workspaces/${testStack.workspaceId}/connections/${made[0]?.id}`)
})
