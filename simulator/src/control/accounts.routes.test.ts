import { expect, test } from 'vitest'
import { authorize } from '../../test/sign-event.ts'
import { signJwt } from '../../test/sign-jwt.ts'
import { signRequest } from '../../test/sign-request.ts'
import { startTestSimulator, textAt, valueAt } from '../../test/start-test-simulator.ts'
import { platformTraits, type PlatformTraits } from '../index.ts'

test.each(Object.entries<PlatformTraits>(platformTraits))(
  'an access token of %s can be expired, and new ones can be short-lived',
  async (platform, { reader, signed, scheme = 'Bearer', tokenHeader }) => {
    await using simulator = await startTestSimulator()
    const read = async (token: string, id: string) => {
      const plain = tokenHeader ? { [tokenHeader]: token } : { authorization: `${scheme} ${token}` }
      const ways = {
        webhook: () => signRequest({ secret: token, id: 'read', body: '' }),
        jwt: () => ({ authorization: `Ghost ${signJwt(token)}` }),
        event: () => ({ authorization: authorize(token, { tags: [['t', 'list']] }) }),
      }
      const headers = signed ? ways[signed]() : plain
      const { status, body } = await simulator.request(`/${platform}${reader.replace('{token}', token).replace('{id}', id)}`, {
        headers,
      })
      // Some refuse with the status of a success.
      return valueAt(body, 'ok') === false ? 400 : status
    }
    const { token, id } = await simulator.openAccount(platform)
    expect(await read(token, id)).toBe(200)
    await simulator.control('/tokens/expire', { platform, account: 'alice', inSeconds: 10 })
    expect(await read(token, id)).toBe(200)
    await simulator.control('/tokens/expire', { platform, handle: 'alice' })
    expect(await read(token, id)).toBeGreaterThanOrEqual(400)

    await simulator.control('/settings', { platform, accessTokenSeconds: 5 })
    const short = await simulator.openAccount(platform)
    expect(await read(short.token, id)).toBe(200)
    await simulator.control('/clock', { advanceMs: 5000 })
    expect(await read(short.token, id)).toBeGreaterThanOrEqual(400)
  },
)

test('a refresh token can be revoked alone, and X can be set to accept one twice', async () => {
  await using simulator = await startTestSimulator()
  const alice = await simulator.openAccount('x')
  const refresh = (refresh_token: string) =>
    simulator.request('/x/2/oauth2/token', { form: { grant_type: 'refresh_token', refresh_token, client_id: 'app' } })
  await simulator.control('/settings', { platform: 'x', singleUseRefreshTokens: false, accessTokenSeconds: 60 })
  expect((await refresh(alice.refresh)).body).toMatchObject({ expires_in: 60 })
  expect((await refresh(alice.refresh)).status).toBe(200)
  expect((await simulator.control('/tokens/revoke', { platform: 'x', handle: 'alice', kind: 'other' })).status).toBe(400)
  await simulator.control('/tokens/revoke', { platform: 'x', handle: 'alice', kind: 'refresh' })
  expect((await refresh(alice.refresh)).status).toBe(400)
  expect((await simulator.request('/x/2/users/me', { token: alice.token })).status).toBe(200)
})

test('LinkedIn can be set to issue no refresh tokens, as it does for self-serve apps', async () => {
  await using simulator = await startTestSimulator()
  const app = { client_id: 'app', client_secret: 'secret' }
  const token = (form: Record<string, string>) =>
    simulator.request('/linkedin/oauth/v2/accessToken', { form: { ...app, ...form } })
  const before = await simulator.openAccount('linkedin')
  const renew = () => token({ grant_type: 'refresh_token', refresh_token: before.refresh })
  expect((await renew()).body).toMatchObject({ refresh_token: before.refresh })
  await simulator.control('/settings', { platform: 'linkedin', refreshTokens: false })
  expect((await simulator.openAccount('linkedin')).refresh).toBe('')
  expect((await renew()).status).toBe(400)

  const redirect_uri = 'http://127.0.0.1/callback'
  const query = { response_type: 'code', client_id: 'app', redirect_uri, scope: 'w_member_social', auto: '1', handle: 'alice' }
  const consent = await simulator.request(`/linkedin/oauth/v2/authorization?${new URLSearchParams(query)}`)
  const code = new URL(consent.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const { body } = await token({ grant_type: 'authorization_code', code, redirect_uri })
  expect(textAt(body, 'access_token')).not.toBe('')
  expect(valueAt(body, 'expires_in')).toBe(60 * 86_400)
  expect(valueAt(body, 'refresh_token')).toBeUndefined()
})
