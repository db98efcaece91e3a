import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openAccount } from '@carillon/stack'
import { runCarillon } from '@carillon/stack/services'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { call, callData, type CallOptions } from '../support/call.ts'
import { findTablesContaining } from '../support/query-database.ts'
import { createPost, textBody } from '../support/posts.ts'
import { startSecondServer, type SecondServer } from '../support/second-server.ts'
import { serverEnv } from '../support/server-env.ts'
import { callSimulator, testStack, uniqueText, waitUntilFinished } from '../test-stack.ts'

/** Guarantees T16 and T27: a secret is in no log and in no table, also when the request with it fails. */

const secret = (what: string) => `${what}${randomBytes(16).toString('hex')}`

/** Every secret by its name, so that a failure says which one leaked without repeating it. */
const secrets: Record<string, string> = {
  password: secret('pass'),
  wrongPassword: secret('wrong'),
  signUpPassword: secret('short'),
  unknownKey: `sk_${secret('unknown')}`,
  bearerOfAnotherKind: secret('basic'),
  cookie: secret('cookie'),
  webhookSecret: secret('hook'),
  secretInRefusedBody: secret('refused'),
  secretInMalformedJson: secret('malformed'),
  apiKeyInQuery: secret('query'),
  apiKey: testStack.apiKey,
}

let server: SecondServer
/** They stay connected until the end, so that their tokens are stored while the tables are searched. */
const connected: { id: string }[] = []
const email = `${uniqueText('secret').replace(' ', '-')}@example.com`

beforeAll(async () => {
  // The most detailed log: what it does not contain, no other level contains.
  server = await startSecondServer((origin) => ({ CARILLON_LOG_LEVEL: 'trace', CARILLON_PUBLIC_URL: origin }))
}, 120_000)
afterAll(async () => {
  for (const { id } of connected) await callData(`POST /workspaces/${testStack.workspaceId}/connections/${id}/revoke`)
  await server.stop()
})

const ask = (route: string, options: CallOptions = {}) => call(route, { ...options, baseUrl: server.baseUrl })

async function sendSecretsToApi(): Promise<void> {
  const browser = new Browser({ server: server.baseUrl.replace(/\/api$/, '') })
  await browser.post('/auth/sign-up/email', { name: 'Secret', email, password: secrets['password'] })
  await browser.post('/auth/sign-up/email', { name: 'Secret', email: 'no address', password: secrets['signUpPassword'] })
  await browser.post('/auth/sign-in/email', { email, password: secrets['wrongPassword'] })
  await browser.open('GET /api/workspaces', { cookie: `carillon.session_token=${secrets['cookie']}` })
  await ask('GET /content', { key: secrets['unknownKey'] ?? '' })
  await ask('GET /content', { key: null, headers: { authorization: `Basic ${secrets['bearerOfAnotherKind']}` } })
  await ask('GET /content', { query: { apiKey: secrets['apiKeyInQuery'] ?? '' } })
  const hook = { url: `https://${testStack.webhookHost}/secrets`, events: ['upload.failed'] }
  const made = await ask('POST /webhooks', { body: { ...hook, secret: secrets['webhookSecret'] } })
  expect(made.status).toBe(201)
  await ask(`DELETE /webhooks/${(made.data as { id: string }).id}`)
  expect((await ask('POST /webhooks', { body: { url: 7, events: [], secret: secrets['secretInRefusedBody'] } })).status).toBe(422)
  await ask('POST /webhooks', { raw: `{"secret":"${secrets['secretInMalformedJson']}",`, type: 'application/json' })
  const key = await callData<{ id: string; key: string }>(`POST /workspaces/${testStack.workspaceId}/api-keys`, {
    body: { label: 'secret' },
    baseUrl: server.baseUrl,
  })
  secrets['newApiKey'] = key.key
  await ask(`DELETE /workspaces/${testStack.workspaceId}/api-keys/${key.id}`)
}

/** Platform tokens, through sends that succeed, are refused, and find the token expired. */
async function usePlatformTokens(): Promise<void> {
  const handle = uniqueText('secretive').replace(' ', '-')
  const accounts = await Promise.all(['bluesky', 'x'].map((platform) => openAccount(testStack.simulatorUrl, platform, handle)))
  for (const { platform, credentials } of accounts)
    for (const [name, value] of Object.entries({ ...credentials, ...(credentials['extra'] as object | undefined) }))
      if (/token|password|secret/i.test(name) && typeof value === 'string') secrets[`${platform} ${name}`] = value
  const args = ['connect', '--json', '--workspace', testStack.workspaceId]
  const made = (await runCarillon(args, { env: serverEnv(), input: JSON.stringify(accounts) })) as { id: string; slug: string }[]
  const connections = made.map(({ slug }) => slug)
  const publish = async () => waitUntilFinished((await createPost({ connections })).data.uploadId)
  expect((await publish()).status).toBe('completed')
  const fault = { operation: 'submit', handle, times: 2, fault: { kind: 'status', status: 422 } }
  const { id } = await callSimulator('POST', 'faults', fault)
  await publish()
  await callSimulator('DELETE', `faults/${id}`)
  await callSimulator('POST', 'tokens/expire', { platform: 'x', handle })
  expect((await publish()).status).toBe('completed')
  connected.push(...made)
}

/** Every log that a process of the service has written. The simulator's own log is left out: it plays the platforms. */
async function readLogs(): Promise<Record<string, string>> {
  const dir = join(testStack.dir, 'logs')
  const names = (await readdir(dir, { recursive: true })).filter((name) => /carillon-[^/]*\.log$/.test(name))
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(dir, name), 'utf8')])))
}

describe('after secrets were sent in every input', () => {
  beforeAll(async () => {
    await sendSecretsToApi()
    await usePlatformTokens()
    await createPost({ saveDraft: true, ...textBody() }, { headers: { 'idempotency-key': uniqueText('secret') } })
  }, 180_000)

  test('guarantee: no log of the service contains one', async () => {
    const logs = await readLogs()
    expect(Object.keys(logs).length).toBeGreaterThan(1)
    for (const log of Object.values(logs)) expect(log.length).toBeGreaterThan(0)
    const found = Object.entries(secrets).flatMap(([name, value]) =>
      Object.entries(logs).flatMap(([file, log]) => (log.includes(value) ? [`${name} in ${file}`] : [])),
    )
    expect(found).toEqual([])
    expect(Object.keys(secrets).filter((name) => /^(bluesky|x) /.test(name)).length).toBeGreaterThan(2)
  })

  test('guarantee: no table of the database contains one', { timeout: 120_000 }, async () => {
    const found: string[] = []
    for (const [name, value] of Object.entries(secrets))
      for (const table of await findTablesContaining(value)) found.push(`${name} in ${table}`)
    expect(found).toEqual([])
  })
})
