import { expect, test } from 'vitest'
import { newSecret, secretHint } from './secret.ts'

/** Guarantee: a generated secret has at least 192 bits besides those that its hint shows. */
test('a generated secret', () => {
  const secret = newSecret()
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]+$/)
  expect(bytes.length * 8 - 6 * secretHint(secret).length).toBeGreaterThanOrEqual(192)
  expect(newSecret()).not.toBe(secret)
})
