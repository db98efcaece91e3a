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

    const changes = { null: '$1null', absent: '"left_out":true', negative: '$1-1', 'another kind of value': '$1{}' }
    test.runIf(isTold).for(Object.entries(changes))(
      'a number that is %s is unknown, and the account is the same',
      async ([, to]) => {
        const { client } = await openTestAccount(connector, testPlatform)
        const { followers, ...account } = await connector.account(client)
        // Only here is the number, which is not small: no field has to be named.
        const field = new RegExp(`("\\w+":\\s*)"?${followers}"?(?=[,}\\]\\s])`, 'g')
        let changed = 0
        const { transport } = changeAnswer(testPlatform.transport, 'all', (body) => {
          changed += body.match(field)?.length ?? 0
          return body.replaceAll(field, to)
        })
        const { account: name, credentials } = client
        const read: Account = await connector.account(clientFor(connector, { ...testPlatform, transport }, name, credentials))
        expect(changed).toBeGreaterThan(0)
        expect(read).toEqual(account)
      },
    )
  })
}
