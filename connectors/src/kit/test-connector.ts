import { afterAll, beforeAll, describe } from 'vitest'
import { testConnecting } from './conformance/connecting.ts'
import { testDeclarations } from './conformance/declarations.ts'
import { testLostAnswers } from './conformance/lost-answers.ts'
import { testPublishing } from './conformance/publishing.ts'
import { testRefusals } from './conformance/refusals.ts'
import type { World } from './conformance/world.ts'
import type { Connector } from './connector.ts'

/** What every connector must do, whatever its platform. A connector's own test adds only what is its own. */
export function testConnector(connector: Connector, world: World): void {
  describe(`${connector.manifest.name} connector`, () => {
    beforeAll(() => world.start())
    afterAll(() => world.stop())

    testDeclarations(connector)
    testConnecting(connector, world)
    testPublishing(connector, world)
    testRefusals(connector, world)
    testLostAnswers(connector, world)
  })
}
