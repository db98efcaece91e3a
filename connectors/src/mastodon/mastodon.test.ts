import { simulate } from '../../test/simulate.ts'
import { testConnector } from '../kit/test-connector.ts'
import { mastodon } from './mastodon.ts'

testConnector(mastodon, simulate('mastodon'))
