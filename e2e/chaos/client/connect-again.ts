import { setTimeout as sleep } from 'node:timers/promises'
import { openAccount } from '@carillon/stack'
import { traitsOf } from '../plan/platform-traits.ts'
import type { Account } from '../stack/open-account-sets.ts'
import { cookiesOf } from '../stack/sign-in-admin.ts'
import type { ChaosStack } from '../stack/start-chaos-stack.ts'
import { fieldsOf, parseJson, textOf } from './json.ts'

/** Long enough for an API that starts beside many other processes. */
const tryForMs = 600_000

/**
 * Signs in at the platform again, as a person does, and stores which connection the account has now. `isNew` means that its connection was
 * removed. Tries until it works.
 */
export async function connectAgain(stack: ChaosStack, account: Account, { isNew }: { isNew: boolean }): Promise<void> {
  const connect = traitsOf(account.platform).fields ? withFields : withConsent
  const endMs = Date.now() + tryForMs
  for (;;) {
    try {
      Object.assign(account, await connect(stack, account, isNew))
      return
    } catch (error) {
      if (Date.now() > endMs) throw error
      await sleep(500)
    }
  }
}

type Connected = { id: string; slug: string }

async function withFields(stack: ChaosStack, { platform, handle, workspace, id }: Account, isNew: boolean): Promise<Connected> {
  const { accountId, credentials } = await openAccount(stack.info.simulatorUrl, platform, handle)
  const known: Record<string, string> = {
    '{handle}': handle,
    '{id}': accountId,
    '{token}': textOf(credentials['accessToken']) ?? '',
    '{site}': `${stack.info.simulatorUrl}/${platform}`,
    '{password}': textOf(fieldsOf(credentials['extra'])['password']) ?? '',
  }
  const entered = Object.entries(traitsOf(platform).fields ?? {}).map(([name, value]) => [name, known[value] ?? value])
  const fields = Object.fromEntries(entered)
  const site = traitsOf(platform).hasSites && { instanceUrl: `${stack.info.simulatorUrl}/${platform}` }
  const address = `${new URL(stack.info.baseUrl).origin}/integrations/${platform}/password`
  const body = { fields, ...site, ...(!isNew && { connectionId: id }) }
  return connectedOf(await send(address, { body, ...keyOf(stack, workspace) }))
}

async function withConsent(stack: ChaosStack, { platform, handle, workspace, id }: Account, isNew: boolean): Promise<Connected> {
  const address = `${new URL(stack.info.baseUrl).origin}/integrations/${platform}/start`
  const started = await send(address, { body: isNew ? {} : { connectionId: id }, ...keyOf(stack, workspace) })
  const consentUrl = textOf(fieldsOf(started.data)['authorizeUrl'])
  if (consentUrl === null) throw new Error(`connecting ${platform} was not started: ${started.text}`)
  const consent = await send(`${consentUrl}&auto=1&handle=${handle}`, {})
  if (consent.location === null) throw new Error(`${platform} did not redirect: ${consent.text}`)
  const returned = await send(consent.location, { headers: { cookie: stack.adminCookies } })
  const { origin, searchParams } = new URL(returned.location ?? '', address)
  const attempt = searchParams.get('attempt')
  if (attempt === null) throw new Error(`${platform} was not returned to: ${returned.location} ${returned.text}`)
  const headers = { origin, cookie: `${stack.adminCookies}; ${returned.cookies}` }
  return connectedOf(await send(`${origin}/integrations/attempts/${attempt}/confirm`, { body: {}, headers }))
}

function keyOf({ info, workspaceIds }: ChaosStack, workspace: Account['workspace']) {
  return { headers: { authorization: `Bearer ${info.apiKey}`, 'x-workspace-id': workspaceIds[workspace] } }
}

type Reply = { data: unknown; text: string; location: string | null; cookies: string }

async function send(url: string, { body, headers }: { body?: unknown; headers?: Record<string, string> }): Promise<Reply> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  })
  const text = await response.text()
  return {
    data: fieldsOf(parseJson(text))['data'],
    text,
    location: response.headers.get('location'),
    cookies: cookiesOf(response),
  }
}

function connectedOf({ data, text }: Reply): Connected {
  const { id, slug } = fieldsOf(data)
  if (typeof id !== 'string' || typeof slug !== 'string') throw new Error(`the account was not connected: ${text}`)
  return { id, slug }
}
