import { simulate } from '../../test/simulate.ts'
import { testConnector } from '../kit/test-connector.ts'
import { bluesky } from './bluesky.ts'

testConnector(bluesky, simulate('bluesky', { handleOf: (name) => `${name}.example.com` }))
