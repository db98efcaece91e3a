import type { Static } from 'typebox'
import type { PasswordAuth } from '../kit/auth.ts'
import type { Http } from '../kit/http.ts'
import { explainFor, PlatformError, refuseEntered } from '../kit/platform-error.ts'
import { movedCode } from './errors.ts'
import { Me, Site } from './wire.ts'

export const api = '/wp-json/wp/v2'

const root = '/wp-json/'

const because = explainFor('WordPress')

export const attach = (accessToken: string) => ({ headers: { authorization: `Basic ${accessToken}` } })

export const auth: PasswordAuth = {
  kind: 'password',
  fields: [
    { name: 'username', label: 'User name', secret: false },
    { name: 'password', label: 'Application password', secret: true },
  ],
  perInstance: true,

  // An application password is valid until the person takes it back.
  async open(http, fields) {
    const [username, password] = [(fields.username ?? '').trim(), (fields.password ?? '').replaceAll(/\s/g, '')]
    if (username === '' || username.includes(':')) throw refuseEntered('Enter the user name of your account on the site.')
    // It is shown in groups. A password of another form is the one of the account, which the API does not take.
    if (!/^[a-z\d]{16,64}$/i.test(password))
      throw refuseEntered(
        'Enter an application password of your profile on the site: 24 letters and digits, and not your own password.',
      )
    const accessToken = Buffer.from(`${username}:${password}`).toString('base64')
    const { headers } = attach(accessToken)
    checkSite(await readSite(http, headers))
    const call = {
      method: 'GET',
      path: `${api}/users/me`,
      query: { context: 'edit' },
      anonymous: true,
      headers,
      returns: Me,
    } as const
    const { capabilities } = await http.call(call).catch(explainSignIn)
    if (capabilities && capabilities['publish_posts'] !== true)
      throw refuseEntered('This person may not publish posts on the site. Ask for the role of an author or an editor.')
    return { accessToken }
  },
}

function explainSignIn(error: unknown): never {
  if (!(error instanceof PlatformError) || error.reason !== 'reconnect') throw error
  const { platformCode, platformMessage } = error
  throw new PlatformError({ kind: 'auth', platformCode, platformMessage, ...because('sign_in_refused') })
}

/** What is not WordPress, and WordPress with plain permalinks, answers with a page or with 404. */
async function readSite(http: Http, headers: Record<string, string>): Promise<Static<typeof Site>> {
  try {
    return await http.call({ method: 'GET', path: root, anonymous: true, headers, returns: Site })
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    if (error.platformCode === movedCode)
      throw refuseEntered('This address leads to another one. Enter the address that a browser shows for the site.')
    // A connection that failed has a cause; a page of something else has none.
    const isPage = error.kind === 'unavailable' && error.cause === undefined
    if (!isPage) return explainSignIn(error)
    throw refuseEntered(
      'No WordPress answers at this address with /wp-json/. Enter the address of the site, and choose permalinks other than “Plain” there.',
    )
  }
}

function checkSite({ namespaces, authentication }: Static<typeof Site>): void {
  if (!namespaces.includes('wp/v2')) throw refuseEntered('This site does not offer the API of WordPress for posts.')
  if (typeof authentication === 'object' && authentication !== null && !('application-passwords' in authentication))
    throw refuseEntered(
      'This site takes no application passwords. They need https, and a security plugin may have switched them off.',
    )
}

export function readName(http: Http): Promise<Static<typeof Site>> {
  return http.call({ method: 'GET', path: root, returns: Site })
}
