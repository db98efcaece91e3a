import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, root } from '@carillon/stack/services'
import type { ApiKey, Connection } from '@carillon/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Browser, newAddress } from '../support/browser.ts'
import { callData } from '../support/call.ts'
import { installSdk, type InstalledSdk } from '../support/programs/install-sdk.ts'
import { sendRequest } from '../support/send-request.ts'
import { createPerson } from '../support/server-env.ts'
import { openTlsProxy } from '../support/tls-proxy.ts'
import { testStack, uniqueText } from '../test-stack.ts'

let sdk: InstalledSdk
beforeAll(async () => {
  sdk = await installSdk()
}, 120_000)
afterAll(() => sdk.remove())

const unescape = (text: string) => text.replaceAll('&amp;', '&')

/** Guarantee: a customer of a program connects an account without an account here, and is back in that program. */
test('the example for programs that serve others does what its guide says', async () => {
  const port = await freePort()
  const proxy = await openTlsProxy({
    host: testStack.webhookHost,
    certFile: testStack.webhookTlsCert,
    keyFile: testStack.webhookTlsKey,
    port,
  })
  const { origin } = new URL(proxy.url)
  // A workspace of its own: the list of origins belongs to the workspace.
  const agency = await createPerson(newAddress('agency'))
  const own = { key: agency.apiKey, workspace: agency.workspaceId }
  const workspace = `/workspaces/${agency.workspaceId}`
  await callData(`PATCH ${workspace}`, { ...own, body: { returnOrigins: [origin] } })
  const scopes = ['connections:invite', 'webhooks:write']
  const { key = '' } = await callData<ApiKey>(`POST ${workspace}/api-keys`, { ...own, body: { label: 'White label', scopes } })
  await cp(join(root, 'examples/white-label/white-label.ts'), join(sdk.dir, 'white-label.ts'))
  const program = spawn(process.execPath, ['white-label.ts'], {
    cwd: sdk.dir,
    env: {
      CARILLON_URL: testStack.baseUrl,
      CARILLON_KEY: key,
      CARILLON_WORKSPACE: agency.workspaceId,
      PUBLIC_URL: origin,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(program.stdout, 'data')
    const customer = uniqueText('customer').replaceAll(/[^\w]/g, '-')
    const ask = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })
      return { text: await response.text(), location: response.headers.get('location') ?? '' }
    }
    const link = (await ask(`/connect/${customer}`)).location

    const owner = new Browser()
    const going = await owner.press(`${link}&platform=x`)
    const consent = unescape(/<a href="([^"]+)">Continue to/.exec(going.text)?.[1] ?? '')
    const agreed = await sendRequest('GET', `${consent}&auto=1&handle=${customer}`, { key: null })
    const back = await owner.get(agreed.location ?? '')
    const done = await owner.press(back.location ?? '', { answer: 'connect' })
    const way = new URL(unescape(/<p><a href="([^"]+)">Back to/.exec(done.text)?.[1] ?? ''))
    expect(way.origin).toBe(origin)

    const accounts = await callData<Connection[]>(`GET ${workspace}/connections?externalId=${customer}`, own)
    const connectionId = accounts[0]?.id
    expect(accounts).toMatchObject([{ platform: 'x', externalId: customer }])
    expect((await ask(way.pathname + way.search)).text).toBe(`Welcome back, ${customer}: ${connectionId}`)
    expect((await ask(way.pathname + way.search)).text).toContain('used before')
    way.searchParams.set('carillon_signature', '0'.repeat(64))
    expect((await ask(way.pathname + way.search)).text).toContain('unknown')
    await vi.waitFor(async () => expect((await ask(`/account/${customer}`)).text).toBe(connectionId), 30_000)
  } finally {
    program.kill()
    proxy.close()
  }
})
