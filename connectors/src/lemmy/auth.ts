import type { Static } from 'typebox'
import type { PasswordAuth } from '../kit/auth.ts'
import type { Http } from '../kit/http.ts'
import { PlatformError, refuseEntered } from '../kit/platform-error.ts'
import { findCommunity, followedBy } from './community.ts'
import { api, SignedIn, Site } from './wire.ts'

/** A token of a session, in place of the password: the cookie `jwt` of a browser that is signed in. */
const tokenForm = /^[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}$/

const signInRefusals: Readonly<Record<string, string>> = {
  incorrect_login: 'The server does not accept this user name and password.',
  missing_totp_token:
    'This account asks for a second factor. Enter the token of a session in place of the password: the cookie “jwt” of a browser that is signed in.',
  email_not_verified: 'The e-mail address of this account is not confirmed yet.',
  registration_application_is_pending: 'The people who run the server have not admitted this account yet.',
  registration_denied: 'The people who run the server have not admitted this account.',
}

export const auth: PasswordAuth = {
  kind: 'password',
  fields: [
    { name: 'username', label: 'User name', secret: false },
    { name: 'accountPassword', label: 'Password, or token of a session', secret: true },
    { name: 'community', label: 'Community', secret: false },
  ],
  perInstance: true,

  // A token is valid until the person signs out of the session or changes the password. The password is not kept.
  async open(http, fields) {
    const [username, secret] = [(fields.username ?? '').trim().replace(/^@/, ''), (fields.accountPassword ?? '').trim()]
    if (username === '' || secret === '') throw refuseEntered('Enter the user name and the password of your account.')
    await checkServer(http)
    const accessToken = tokenForm.test(secret) ? secret : await signIn(http, username, secret)
    const headers = { authorization: `Bearer ${accessToken}` }
    const site = await http.call({ method: 'GET', path: `${api}/site`, anonymous: true, headers, returns: Site })
    if (!site.my_user) throw refuseEntered('The server does not accept this token of a session. Sign in again and copy it anew.')
    const community = (fields.community ?? '').trim()
    await findCommunity(http, community, headers).catch((error: unknown) => explainCommunity(error, site))
    return { accessToken, extra: { community } }
  },
}

async function signIn(http: Http, username: string, password: string): Promise<string> {
  const json = { username_or_email: username, password }
  try {
    const call = { method: 'POST', path: `${api}/user/login`, json, anonymous: true, returns: SignedIn } as const
    const { jwt } = await http.call(call)
    if (jwt) return jwt
  } catch (error) {
    const said = error instanceof PlatformError ? signInRefusals[error.platformCode ?? ''] : undefined
    throw said === undefined ? error : refuseEntered(said)
  }
  throw refuseEntered('The server has not admitted this account yet.')
}

/** What is not Lemmy answers with a page, or with 404. */
async function checkServer(http: Http): Promise<void> {
  try {
    await http.call({ method: 'GET', path: `${api}/site`, anonymous: true, returns: Site })
  } catch (error) {
    // A connection that failed has a cause; a page of something else has none.
    const isOther = error instanceof PlatformError && error.cause === undefined && ['unavailable', 'gone'].includes(error.kind)
    throw isOther
      ? refuseEntered('No Lemmy answers at this address. Enter the address of your server, such as lemmy.example.')
      : error
  }
}

function explainCommunity(error: unknown, site: Static<typeof Site>): never {
  if (!(error instanceof PlatformError) || error.kind !== 'rejected') throw error
  const followed = followedBy(site)
  throw refuseEntered(followed.length === 0 ? error.message : `${error.message} You follow: ${followed.join(', ')}.`)
}
