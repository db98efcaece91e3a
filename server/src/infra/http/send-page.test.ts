import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, type gzip } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sendStatic } from './send-page.ts'

const compressions = vi.hoisted(() => ({ count: 0 }))
vi.mock('node:zlib', async (importOriginal) => {
  const zlib = await importOriginal<{ gzip: typeof gzip }>()
  return {
    ...zlib,
    gzip(...args: Parameters<typeof gzip>) {
      compressions.count++
      return zlib.gzip(...args)
    },
  }
})

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'carillon-static-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** Attack: many requests for a large file, each of which would cost the time of compressing it. */
test('guarantee: a file is compressed once, however often it is requested, and again when it has changed', async () => {
  const path = join(dir, 'viewer.js')
  const app = Fastify()
  app.get('/viewer.js', (request, reply) => sendStatic(request, reply, { path, type: 'text/javascript', cache: 'no-cache' }))
  const get = () => app.inject({ url: '/viewer.js', headers: { 'accept-encoding': 'gzip' } })
  await writeFile(path, 'first')
  const answers = await Promise.all(Array.from({ length: 20 }, get))
  expect(answers.map(({ rawPayload }) => gunzipSync(rawPayload).toString())).toEqual(Array.from({ length: 20 }, () => 'first'))
  expect(compressions.count).toBe(1)
  await writeFile(path, 'another')
  expect(gunzipSync((await get()).rawPayload).toString()).toBe('another')
  expect(compressions.count).toBe(2)
})
