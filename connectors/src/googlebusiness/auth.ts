import { googleSignIn } from '../google/sign-in.ts'
import type { OAuth2 } from '../kit/auth.ts'
import { refreshCredentials } from '../kit/oauth2.ts'
import { listLocations } from './locations.ts'
import { origin } from './origin.ts'

/** A person signs in once, and each location that they manage can be published to. */
export const auth: OAuth2 = {
  ...googleSignIn,
  apiOrigin: origin,
  // There is none that only allows posts.
  scopes: ['https://www.googleapis.com/auth/business.manage'],
  isForTargetsOnly: true,
  targets: listLocations,

  renew: (renewal) => refreshCredentials(auth, 'Google', renewal),
}
