import { askAboutApp, judgeByWords, untold, type AppCheck, type AppQuestion } from '../kit/check-app.ts'
import type { Http } from '../kit/http.ts'
import { endpointPath, withApp } from '../kit/oauth2.ts'
import { auth } from './auth.ts'

/** A token of an app alone is given to every app with a secret. Any other app is refused with the status 401 and that word. */
export async function checkApp(http: Http, { app }: AppQuestion): Promise<AppCheck> {
  const { form, headers } = withApp(auth, app, { grant_type: 'client_credentials' })
  const path = endpointPath(auth.tokenUrl, auth, http)
  const reply = await askAboutApp(http, { method: 'POST', path, form, headers })
  return { app: judgeByWords(reply, { accepted: ['access_token'], refused: ['unauthorized'] }), redirect: untold }
}
