import { describe, expect, test } from 'vitest'
import type { Account } from '../auth.ts'
import type { Connector } from '../connector.ts'
import { changeAnswer } from './change-answer.ts'
import { clientFor, openTestAccount } from './test-account.ts'
import type { TestPlatform } from './test-platform.ts'

/** Guarantee: a number of followers is the one that the platform tells. Where it tells none, there is none, and not 0. */
export function testFollowers(connector: Connector, testPlatform: TestPlatform): void {
  const isTold = connector.manifest.followers !== undefined

  describe('followers', () => {
    test('account() tells the number exactly if the manifest says so', async () => {
      const { client } = await openTestAccount(connector, testPlatform)
      const { followers } = await connector.account(client)
      expect(followers !== undefined && Number.isSafeInteger(followers) && followers >= 0).toBe(isTold)
    })

    /** What stands in place of a field with the number. */
    const changes: Readonly<Record<string, (name: string) => string>> = {
      null: (name) => `${name}null`,
      absent: () => '"left_out":true',
      negative: (name) => `${name}-1`,
      'another kind of value': (name) => `${name}{}`,
    }
    test.runIf(isTold).for(Object.entries(changes))(
      'a number that is %s is unknown, and the account is the same',
      async ([, change]) => {
        const { client } = await openTestAccount(connector, testPlatform)
        const { followers, ...account } = await connector.account(client)
        // Only here is the number, which is not small: no field has to be named.
        let changed = 0
        const { transport } = changeAnswer(testPlatform.transport, 'all', (body) =>
          body.replaceAll(/("\w+":\s*)"?(\d+)"?(?=[,}\]\s])/g, (field, name: string, digits: string) => {
            if (Number(digits) !== followers) return field
            changed++
            return change(name)
          }),
        )
        const { account: name, credentials } = client
        const read: Account = await connector.account(clientFor(connector, { ...testPlatform, transport }, name, credentials))
        expect(changed).toBeGreaterThan(0)
        expect(read).toEqual(account)
      },
    )
  })
}
