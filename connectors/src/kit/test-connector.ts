import { afterAll, beforeAll, describe } from 'vitest'
import { testConnecting } from './conformance/test-connecting.ts'
import { testDeclarations } from './conformance/test-declarations.ts'
import { testLostAnswers } from './conformance/test-lost-answers.ts'
import { testPublishing } from './conformance/test-publishing.ts'
import { testRefusals } from './conformance/test-refusals.ts'
import type { TestPlatform } from './conformance/test-platform.ts'
import type { Connector } from './connector.ts'

/** What every connector must do, whatever its platform. A connector's own test adds only what is its own. */
export function testConnector(connector: Connector, testPlatform: TestPlatform): void {
  describe(`${connector.manifest.name} connector`, () => {
    beforeAll(() => testPlatform.start())
    afterAll(() => testPlatform.stop())

    testDeclarations(connector)
    testConnecting(connector, testPlatform)
    testPublishing(connector, testPlatform)
    testRefusals(connector, testPlatform)
    testLostAnswers(connector, testPlatform)
  })
}
