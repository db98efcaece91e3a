import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEndpointHandler, service, TerminalError } from '@restatedev/restate-sdk'
import { startRestate } from '@carillon/stack/services'
import { expect, test } from 'vitest'
import { openIngress } from './ingress.ts'
import { registerWorker } from './deployments.ts'

test('a job that was sent can be waited for: until its run has ended, also if it failed', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'carillon-ingress-'))
  const engine = await startRestate({ dir, partitions: 1 })
  const begun = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const work = service({
    name: 'work',
    handlers: {
      slow: async () => {
        begun.resolve()
        await mayEnd.promise
      },
      failing: async () => {
        throw new TerminalError('no')
      },
    },
  })
  const server = createServer(createEndpointHandler({ services: [work], logger: () => {} }))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  await registerWorker({
    adminUrl: engine.adminUrl,
    workerUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  })
  const ingress = openIngress(engine.ingressUrl)
  const slow = { service: 'work', handler: 'slow', payload: null }
  const failing = { service: 'work', handler: 'failing', payload: null }

  await ingress.send(slow, 'one')
  await begun.promise
  const ended: string[] = []
  const waiting = ingress.waitFor(slow, 'one').then(() => void ended.push('slow'))
  await ingress.send(failing, 'two')
  await ingress.waitFor(failing, 'two')
  expect(ended).toEqual([])
  mayEnd.resolve()
  await waiting
  await expect(ingress.waitFor(slow, 'never sent')).rejects.toThrow('does not know the job')

  await ingress.close()
  server.close()
  await engine.stop()
  await rm(dir, { recursive: true, force: true })
}, 60_000)
