import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { beforeAll, expect, test, vi } from 'vitest'
import { serve } from '../../commands/serve.ts'
import { readConfig } from '../../config.ts'

const seen = vi.hoisted(() => ({ routes: [] as { method: string | string[]; url: string }[] }))

// The application as the `serve` command builds it, but without a port and without a database.
vi.mock('../logins/prepare-database.ts', () => ({ migrateIfOwner: async () => {}, prepareLogins: async () => {} }))
vi.mock('../db/check-schema.ts', () => ({ checkSchema: async () => {} }))
vi.mock('../logins/check-logins.ts', () => ({ checkLogins: async () => {} }))
vi.mock('../sealing/check-secret-keys.ts', () => ({ checkSecretKeys: async () => {} }))
vi.mock('fastify', async (original) => {
  const real = await original<{ default: (options: FastifyServerOptions) => FastifyInstance }>()
  const build = (options: FastifyServerOptions) => {
    const app = real.default(options)
    app.addHook('onRoute', ({ method, url }) => void seen.routes.push({ method, url }))
    return Object.assign(app, { listen: () => app.ready() })
  }
  return { ...real, default: build }
})

beforeAll(async () => {
  const secretKeys = `k1:${Buffer.alloc(32, 1).toString('base64')}`
  const env = {
    DATABASE_URL: 'postgres://user@127.0.0.1:1/none',
    CARILLON_SECRET_KEYS: secretKeys,
    CARILLON_LOG_LEVEL: 'silent',
    // Any free port.
    CARILLON_HEALTH_PORT: '0',
  }
  await serve(readConfig(env), { role: 'api', migrates: true })
})

function routesBelow(prefix: string): string[] {
  const all = seen.routes.flatMap(({ method, url }) => [method].flat().map((verb) => `${verb} ${url}`))
  // Fastify answers HEAD wherever it answers GET.
  return [...new Set(all.filter((each) => each.includes(` ${prefix}`) && !each.startsWith('HEAD ')))].toSorted()
}

/** Routes for open pages. They answer with a stream or a picture instead of JSON, so the document cannot describe them. */
const pageRoutes = [
  'GET /api/workspaces/:id/connections/:connId/avatar',
  'GET /api/workspaces/:id/live',
  'GET /api/workspaces/:id/media/:mediaId/thumbnail',
]

test('guarantee: the routes below /api are exactly those of the OpenAPI document and those for open pages', () => {
  const document = JSON.parse(readFileSync(new URL('../../../../contract/openapi.json', import.meta.url), 'utf8')) as {
    paths: Record<string, Record<string, { servers?: unknown }>>
  }
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { servers }]) => {
      const base = servers === undefined ? '/api' : ''
      return `${method.toUpperCase()} ${base}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
    }),
  )
  const isBeside = (route: string) => !route.includes(' /api/')
  expect(routesBelow('/api/')).toEqual([...documented.filter((route) => !isBeside(route)), ...pageRoutes].toSorted())
  expect(documented.filter(isBeside)).toEqual(['POST /integrations/:platform/start', 'POST /integrations/:platform/password'])
  expect(routesBelow('/integrations/')).toEqual(expect.arrayContaining(documented.filter(isBeside)))
})
