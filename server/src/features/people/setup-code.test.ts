import { expect, test } from 'vitest'
import { needsSetupCode } from './setup-code.ts'

/** Guarantee: only a person at the machine itself becomes the first one without the setup code. */
const config = { publicUrl: 'http://localhost:3000' }

test('a request on the machine itself needs no code, one from elsewhere does', () => {
  expect(needsSetupCode(config, { ip: '127.0.0.1', headers: { host: 'localhost:3000' } })).toBe(false)
  expect(needsSetupCode(config, { ip: '192.0.2.1', headers: {} })).toBe(true)
  expect(needsSetupCode({ publicUrl: 'https://carillon.example' }, { ip: '127.0.0.1', headers: {} })).toBe(true)
})

test.each(['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'cf-connecting-ip'])(
  'a request that a proxy on the machine passed on needs it: %s',
  (name) => {
    expect(needsSetupCode(config, { ip: '127.0.0.1', headers: { [name]: '192.0.2.1' } })).toBe(true)
  },
)
