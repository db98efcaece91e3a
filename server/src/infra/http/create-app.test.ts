import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { Context } from '../../context.ts'
import { createProxyWarning } from './create-app.ts'

function open(trustedProxies: string[], publicUrl: string) {
  const warnings: string[] = []
  const log = { warn: (_facts: object, message: string) => void warnings.push(message) }
  const watch = createProxyWarning({ config: { trustedProxies, publicUrl }, log } as unknown as Context)
  return { warnings, send: (headers: object) => watch({ headers } as unknown as FastifyRequest) }
}

/** Guarantee: an operator whose proxy is not configured learns that everyone behind it shares the limits by address. */
test('a public address with https warns at start', () => {
  expect(open([], 'https://carillon.example').warnings).toHaveLength(1)
  expect(open(['10.0.0.1'], 'https://carillon.example').warnings).toEqual([])
})

test('the first forwarded request warns, once', () => {
  const { warnings, send } = open([], 'http://127.0.0.1:3000')
  send({})
  expect(warnings).toEqual([])
  send({ 'x-forwarded-for': '192.0.2.1' })
  send({ forwarded: 'for=192.0.2.1' })
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('CARILLON_TRUSTED_PROXIES')
})
