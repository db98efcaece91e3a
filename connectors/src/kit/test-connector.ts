import { afterAll, beforeAll, describe } from 'vitest'
import { testBareAnswers } from './conformance/test-bare-answers.ts'
import { testCapabilities } from './conformance/test-capabilities.ts'
import { testConnecting } from './conformance/test-connecting.ts'
import { testDeclarations } from './conformance/test-declarations.ts'
import { testFollowers } from './conformance/test-followers.ts'
import { testLostAnswers } from './conformance/test-lost-answers.ts'
import { testPublishing } from './conformance/test-publishing.ts'
import { testReadBack } from './conformance/test-read-back.ts'
import { testRefusals } from './conformance/test-refusals.ts'
import { testStaging } from './conformance/test-staging.ts'
import type { TestPlatform } from './conformance/test-platform.ts'
import type { Connector } from './connector.ts'

/** The tests that every connector must pass. A connector's own test file adds only what is special about its platform. */
export function testConnector(connector: Connector, testPlatform: TestPlatform): void {
  describe(`${connector.manifest.name} connector`, () => {
    beforeAll(() => testPlatform.start())
    afterAll(() => testPlatform.stop())

    testDeclarations(connector)
    testConnecting(connector, testPlatform)
    testCapabilities(connector, testPlatform)
    testFollowers(connector, testPlatform)
    testPublishing(connector, testPlatform)
    testRefusals(connector, testPlatform)
    testStaging(connector, testPlatform)
    testLostAnswers(connector, testPlatform)
    testReadBack(connector, testPlatform)
    testBareAnswers(connector, testPlatform)
  })
}
