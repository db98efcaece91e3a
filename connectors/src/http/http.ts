import { Type } from 'typebox'
import { defineConnector } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { auth } from './auth.ts'
import { publish, readFigures, readOutcome, removePost } from './calls.ts'
import { accountOf, capabilities, readDeclaration, recognisesKeys } from './declaration.ts'
import { classify, isUnknownKey, unknownOutcome } from './errors.ts'
import { germanWords } from './german-words.ts'
import { manifest } from './manifest.ts'
import { tryReceiver } from './try-receiver.ts'

const settings = Type.Object({}, { additionalProperties: false, 'x-words': { de: germanWords } })

export const http = defineConnector({
  manifest,
  settings,
  capabilities,
  auth,
  origin: null,
  classify,
  // Requests are signed instead.
  attach: () => ({}),

  async account({ http: own, credentials }) {
    return accountOf(await readDeclaration(own, credentials.accessToken), own.origin)
  },

  // The receiver fetches files itself, from addresses that are made for the request.
  needsStage: () => false,

  submit: (client, draft, _staged, { key }) => publish(client, draft, key),

  // A receiver that accepted a post and no longer knows its key has lost it, or has not: nobody knows.
  async check(client, key) {
    try {
      return await readOutcome(client, key)
    } catch (error) {
      throw isUnknownKey(error) ? unknownOutcome('Own platform no longer knows the post that it accepted.') : error
    }
  },

  // Only a receiver that keeps keys can say that it has none.
  async find(client, { handle: { key }, knownPostIds }) {
    const { http: own, credentials } = client
    if (!recognisesKeys(await readDeclaration(own, credentials.accessToken))) return { state: 'unknown' }
    try {
      const outcome = await readOutcome(client, key)
      return outcome.state === 'published' && knownPostIds.has(outcome.postId) ? { state: 'unknown' } : outcome
    } catch (error) {
      const isDenied = isUnknownKey(error) || (error instanceof PlatformError && error.kind === 'rejected')
      if (isDenied) return { state: 'absent', proof: 'reference' }
      throw error
    }
  },

  remove: removePost,
  metrics: readFigures,
  tryServer: tryReceiver,
})
