import { expect, test } from 'vitest'
import { createLog } from './create-log.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('trace', { write: (line) => void lines.push(line) }))
  return lines.join('')
}

test('guarantee: a secret is hidden at any depth, in lists and in the message and cause of an error', () => {
  const error = new Error('GET https://platform.example/me?access_token=s3cr3t-query failed', {
    cause: new Error('header authorization: Bearer s3cr3t-bearer'),
  })
  Object.assign(error, { request: { headers: { authorization: 's3cr3t-header' } } })
  const text = logged((log) => {
    log.info({ accessToken: 's3cr3t-top', a: { b: { refresh_token: 's3cr3t-deep' } } }, 'x')
    log.warn({ list: [{ password: 's3cr3t-list' }], url: 'postgres://user:s3cr3t-url@host/db' }, 'y')
    log.error({ err: error }, 'z')
  })
  expect(text).not.toContain('s3cr3t')
  expect(text.match(/\[secret\]/g)?.length).toBeGreaterThanOrEqual(7)
})

test('guarantee: a token that is part of an address is hidden', () => {
  const error = new Error('POST https://platform.example/bot123456789:AAs3cr3t-s3cr3t-s3cr3t-s3cr3t_abc/send failed')
  const text = logged((log) => log.error({ err: error }, 'a call failed'))
  expect(text).not.toContain('s3cr3t')
  expect(text).toContain('/bot[secret]/send failed')
})

test('what is no secret stays: names, codes, the stack and the address without its query', () => {
  const error = Object.assign(new Error('GET https://platform.example/me?x=1 failed'), { code: 'ECONNRESET' })
  const line = JSON.parse(
    logged((log) => log.warn({ err: error, loop: 'tokens', failures: 2, at: new Date(0) }, 'a pass failed')),
  )
  expect(line).toMatchObject({
    loop: 'tokens',
    failures: 2,
    at: '1970-01-01T00:00:00.000Z',
    msg: 'a pass failed',
    err: { type: 'Error', code: 'ECONNRESET', message: 'GET https://platform.example/me?[secret] failed' },
  })
  expect(line.err.stack).toContain('create-log.test.ts')
})
