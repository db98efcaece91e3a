import { askAboutApp, judgeByWords, untold, type AppCheck, type AppQuestion } from '../kit/check-app.ts'
import type { Http } from '../kit/http.ts'
import { withApp } from '../kit/oauth2.ts'
import { auth } from './auth.ts'

/**
 * A token of an app alone is one of the grants that Tumblr documents (api.md, OAuth2 Authorization, 2024-10-18), so it is given to an app that is
 * known. How it refuses another app is the word of RFC 6749. The page for people asks for a sign-in first.
 */
export async function checkApp(http: Http, { app }: AppQuestion): Promise<AppCheck> {
  const { form, headers } = withApp(auth, app, { grant_type: 'client_credentials' })
  const reply = await askAboutApp(http, { method: 'POST', path: auth.tokenUrl, form, headers })
  return { app: judgeByWords(reply, { accepted: ['access_token'], refused: ['invalid_client'] }), redirect: untold }
}
