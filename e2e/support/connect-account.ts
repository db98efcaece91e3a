import { Browser, newAddress, type Page } from './browser.ts'
import { inviteAndAccept } from './invite-and-accept.ts'
import { sendRequest, textAt } from './send-request.ts'

/** A browser of a new person who is an admin of the workspace. `key` is that of the workspace, if it is not the usual one. */
export async function signInAdmin(workspaceId: string, key?: string): Promise<Browser> {
  const browser = new Browser()
  const email = newAddress('admin')
  await browser.signIn(email)
  await inviteAndAccept(workspaceId, email, 'admin', key)
  return browser
}

type Start = { platform: string; handle: string; body?: object; answer?: string; key?: string; workspaceId?: string }

/** Starts to connect an account and agrees on the platform as `handle`. Returns the address that the platform sends the browser to. */
export async function authorizeAccount({ platform, handle, body = {}, answer = 'auto=1', ...by }: Start): Promise<string> {
  const start = await sendRequest('POST', `/integrations/${platform}/start`, { body, ...by })
  if (start.status !== 200) throw new Error(`starting to connect ${platform}: ${start.status} ${start.code}`)
  const consent = await sendRequest('GET', `${textAt(start.data, 'authorizeUrl')}&${answer}&handle=${handle}`, { key: null })
  if (consent.status !== 302) throw new Error(`the consent page of ${platform} answered ${consent.status}`)
  return consent.location ?? ''
}

/** The id in the address that a browser is sent to after it came back from a platform. */
export function attemptIn({ location }: Pick<Page, 'location'>): string {
  return new URL(location ?? '', 'http://here').searchParams.get('attempt') ?? ''
}

/** Comes back from the platform and confirms the account. If the way back fails, that answer is returned. */
export async function confirmAccount(browser: Browser, address: string): Promise<Page> {
  const returned = await browser.open(`GET ${address}`)
  if (returned.status !== 303 || returned.location?.includes('connectError')) return returned
  return browser.post(`/integrations/attempts/${attemptIn(returned)}/confirm`, {})
}
