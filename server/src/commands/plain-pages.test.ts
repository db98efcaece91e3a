import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer, type TestServer } from '../../test/open-server.ts'
import { startDatabase, type TestDatabase } from '../../test/start-database.ts'
import { signInAs } from '../features/people/sign-in.fixture.ts'
import { setUpWorkspace } from '../features/workspaces/set-up-install.ts'
import { rootRoutes } from './serve.ts'

let database: TestDatabase
let server: TestServer
let app: FastifyInstance
let cookie: string
beforeAll(async () => {
  database = await startDatabase()
  server = openServer({ database, env: { CARILLON_PUBLIC_URL: 'https://carillon.example' }, root: rootRoutes })
  app = server.app
  const { personId } = await setUpWorkspace(server.ctx, { workspace: 'Tower', email: 'pages@example.com' })
  cookie = await signInAs(server.ctx, personId)
}, 120_000)
afterAll(async () => {
  await server?.close()
  await database?.stop()
})

/** The pages that the server renders without a script, and those that search engines may list. Most are of a link that leads nowhere, seen by a person who is signed in. */
const pages: readonly (readonly [path: string, isForEveryone: boolean])[] = [
  ['/legal/privacy', true],
  ['/legal/terms', true],
  ['/legal/data-deletion', true],
  [`/legal/data-deletion/${'0'.repeat(24)}`, false],
  ['/auth/sign-in', false],
  ['/auth/verify?token=x', false],
  ['/auth/password?token=x', false],
  ['/auth/address?token=x', false],
  ['/auth/error', false],
  ['/integrations/link?token=x', false],
  ['/integrations/link/confirm?attempt=x', false],
  ['/integrations/confirm?attempt=x', false],
  ['/oauth/authorize?client_id=x', false],
  ['/approve/x', false],
  [`/uploads/${'0'.repeat(24)}/x`, false],
  ['/mcp', false],
]

describe('guarantee: a page without a script loads nothing, is in no frame, tells its address to no other site, and is stored nowhere', () => {
  test.each(pages)('%s', async (url, isForEveryone) => {
    const { headers } = await app.inject({ url, headers: { accept: 'text/html', cookie } })
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; style-src(?: 'sha256-[\w+/=]+')+(?:; (?:img|media)-src 'self')*$/,
      ),
      'referrer-policy': expect.stringMatching(/^(?:same-origin|no-referrer)$/),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'permissions-policy': expect.stringContaining('camera=()'),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000',
    })
    expect(/^noindex\b/.test(String(headers['x-robots-tag']))).toBe(!isForEveryone)
  })
})
