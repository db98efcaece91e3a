import { askAboutApp, judgeByWords, untold, type AppCheck, type AppQuestion } from '../kit/check-app.ts'
import type { Http } from '../kit/http.ts'
import { endpointPath, withApp } from '../kit/oauth2.ts'
import { auth } from './auth.ts'

/**
 * Instagram has no tokens for apps. A made-up code is refused in any case, but an id of the Meta app and a wrong secret have sentences of their
 * own. Which of its checks comes first is not documented, so it is never taken as accepted.
 */
export async function checkApp(http: Http, { app, redirectUrl }: AppQuestion): Promise<AppCheck> {
  const fields = { grant_type: 'authorization_code', code: 'made-up', redirect_uri: redirectUrl }
  const { form, headers } = withApp(auth, app, fields)
  const reply = await askAboutApp(http, { method: 'POST', path: endpointPath(auth.tokenUrl, auth, http), form, headers })
  return { app: judgeByWords(reply, { refused: ['Invalid platform app', 'Error validating client secret'] }), redirect: untold }
}
