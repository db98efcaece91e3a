import { expect, test } from 'vitest'
import type { OAuth2 } from './auth.ts'
import type { Http } from './http.ts'
import { PlatformError } from './platform-error.ts'
import { isSameIssuer, readIssuer } from './read-issuer.ts'

const origin = 'https://tower.example'
const auth = { metadataPath: '/.well-known/oauth-authorization-server' } as OAuth2

function httpThat(answer: () => unknown): Http {
  return { origin, call: async () => answer() } as unknown as Http
}

test('a server is known by the name in its description, and says whether it sends it', async () => {
  const described = { issuer: `${origin}/`, authorization_response_iss_parameter_supported: true }
  expect(
    await readIssuer(
      auth,
      httpThat(() => described),
    ),
  ).toEqual({ url: `${origin}/`, isRequired: true })
})

test('guarantee: a server that calls itself another one is not believed', async () => {
  expect(
    await readIssuer(
      auth,
      httpThat(() => ({ issuer: 'https://honest.example' })),
    ),
  ).toEqual({ url: origin, isRequired: false })
})

test('a server without a description is known by its address', async () => {
  const missing = httpThat(() => {
    throw new PlatformError({ kind: 'gone', platformCode: '404', message: 'There is no such page.' })
  })
  expect(await readIssuer(auth, missing)).toEqual({ url: origin, isRequired: false })
})

test('only the slash at the end makes no difference', () => {
  expect(isSameIssuer('https://tower.example/', 'https://TOWER.example')).toBe(true)
  for (const other of [
    'https://tower.example/x',
    'http://tower.example',
    'https://tower.example.evil.example',
    'tower.example',
    '',
  ])
    expect(isSameIssuer(origin, other)).toBe(false)
})
