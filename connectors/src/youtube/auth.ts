import { googleSignIn } from '../google/sign-in.ts'
import type { OAuth2 } from '../kit/auth.ts'
import { refreshCredentials } from '../kit/oauth2.ts'

export const origin = 'https://www.googleapis.com'

export const auth: OAuth2 = {
  ...googleSignIn,
  apiOrigin: origin,
  // This one allows everything that is called here. Comments accept no other.
  scopes: ['https://www.googleapis.com/auth/youtube.force-ssl'],

  renew: (renewal) => refreshCredentials(auth, 'YouTube', renewal),
}
