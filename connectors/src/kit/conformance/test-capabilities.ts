import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import type { Connector } from '../connector.ts'
import { PlatformError } from '../platform-error.ts'
import { openTestAccount } from './test-account.ts'
import type { TestPlatform } from './test-platform.ts'

type Choices = { type?: string; oneOf?: readonly { const: string }[] }

/** Guarantee: what a connector says about one account is about settings and formats that its platform has, and no limit is nonsense. */
export function testCapabilities(connector: Connector, testPlatform: TestPlatform): void {
  const { capabilities, manifest } = connector
  if (!capabilities) return

  describe('what one account may do', () => {
    test('the answer fits the manifest and the settings', async () => {
      const { client } = await openTestAccount(connector, testPlatform)
      const { rules } = await capabilities.read(client)
      for (const format of rules.formats ?? []) expect(manifest.formats).toContain(format)
      const limits = [rules.altTextMax, ...[rules.text, rules.photos, rules.video].flatMap((group) => Object.values(group ?? {}))]
      for (const limit of limits.filter((value) => typeof value === 'number')) expect(limit).toBeGreaterThan(0)
      const settings: Record<string, Choices> = Object(Reflect.get(connector.settings, 'properties'))
      for (const [name, values] of Object.entries(rules.choices ?? {})) {
        const setting = settings[name]
        expect(Object.keys(settings)).toContain(name)
        // Of a text, the account has values of its own, such as the names of its boards.
        const isText = setting?.type === 'string' && setting.oneOf === undefined
        const known = isText ? values.filter((value) => Value.Check(Type.Unsafe<string>(setting), value)) : undefined
        for (const value of values) expect(known ?? setting?.oneOf?.map((each) => each.const) ?? [true, false]).toContain(value)
      }
    })

    test('times are in order: an answer is current for no longer than posts are checked with it', () => {
      expect(capabilities.currentMs).toBeGreaterThan(0)
      expect(capabilities.bindsMs ?? Infinity).toBeGreaterThanOrEqual(capabilities.currentMs)
    })

    test('a platform that fails is an error of the platform, or makes no difference', async () => {
      const { client } = await openTestAccount(connector, testPlatform)
      await testPlatform.failNext(client.account.handle, 'any', { kind: 'garbage' })
      const ended = await capabilities.read(client).then(
        ({ rules }) => typeof rules,
        (error: unknown) => (error instanceof PlatformError ? 'refused' : error),
      )
      expect(['object', 'refused']).toContain(ended)
    })
  })
}
