import { randomBytes } from 'node:crypto'
import { adminApi } from './launch-ghost.ts'

type ApiKey = { type: string; id: string; secret: string }

/** Makes the owner of an empty site as a browser would, and returns the Admin API key of a new integration. */
export async function setUpSite(url: string): Promise<string> {
  const email = 'alice@example.com'
  const password = randomBytes(12).toString('hex')
  const setup = [{ name: 'Alice', email, password, blogTitle: 'Bells' }]
  await send(url, 'authentication/setup/', { setup })
  const session = await send(url, 'session/', { username: email, password })
  const cookie = session.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const made = await send(url, 'integrations/?include=api_keys', { integrations: [{ name: 'Carillon' }] }, cookie)
  const { integrations } = (await made.json()) as { integrations: { api_keys: ApiKey[] }[] }
  const key = integrations[0]?.api_keys.find(({ type }) => type === 'admin')
  if (!key) throw new Error('Ghost made no Admin API key')
  return key.secret.includes(':') ? key.secret : `${key.id}:${key.secret}`
}

async function send(url: string, path: string, body: unknown, cookie?: string): Promise<Response> {
  const response = await fetch(`${url}${adminApi}/${path}`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json', ...(cookie !== undefined && { cookie }) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`Ghost answered ${response.status} to ${path}: ${(await response.text()).slice(0, 500)}`)
  return response
}
