import { askAboutApp, judgeByWords, untold, type AppCheck, type AppQuestion } from '../kit/check-app.ts'
import type { Http } from '../kit/http.ts'
import { withApp } from '../kit/oauth2.ts'
import { auth } from './auth.ts'

/**
 * X checks the app before the token, so a made-up refresh token tells about the app. An API key, or an app of a public type, is not a valid
 * pair. The page for people says the same sentence about every fault and only to a browser.
 */
export async function checkApp(http: Http, { app }: AppQuestion): Promise<AppCheck> {
  const { form, headers } = withApp(auth, app, { grant_type: 'refresh_token', refresh_token: 'made-up' })
  const reply = await askAboutApp(http, { method: 'POST', path: auth.tokenUrl, form, headers })
  const signs = { accepted: ['Value passed for the token was invalid'], refused: ['unauthorized_client', 'invalid_client'] }
  return { app: judgeByWords(reply, signs), redirect: untold }
}
