import { checkGoogleApp } from '../google/check-app.ts'
import { type Client, defineConnector } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import { getMediaUrl } from '../kit/read-media.ts'
import { auth } from './auth.ts'
import { describePost } from './content.ts'
import { because, classify } from './errors.ts'
import { findPost } from './find.ts'
import { listLocations, readLocation } from './locations.ts'
import { manifest } from './manifest.ts'
import { origin } from './origin.ts'
import { settings } from './settings.ts'
import { checkPost, outcomeOf, postsPath } from './state.ts'
import { AnyBody, LocalPost } from './wire.ts'

export const googlebusiness = defineConnector({
  manifest,
  settings,
  auth,
  origin,
  classify,
  checkApp: (http, question) => checkGoogleApp(http, auth, question),

  async account({ http, account }) {
    if (account.id !== '') return readLocation(http, account.id)
    const [first] = await listLocations(http)
    if (!first) throw new PlatformError({ kind: 'auth', platformCode: 'no_location', ...because('channel_missing') })
    return first
  },

  // Google fetches the photo itself, after it has answered.
  needsStage: () => false,

  async submit(client, draft) {
    const [photo] = draft.media
    const json = describePost(draft, photo ? await getMediaUrl(photo) : null)
    const post = await client.http.call({ method: 'POST', path: postsPath(client), json, returns: LocalPost })
    return outcomeOf(post, client.http.nowMs())
  },

  check: checkPost,
  find: findPost,

  async remove(client: Client, postId) {
    await client.http.call({ method: 'DELETE', path: postsPath(client, postId), returns: AnyBody })
  },
})
