import { askAboutApp, checkRedirect, judgeByWords, type AppCheck, type AppQuestion } from '../kit/check-app.ts'
import type { Http } from '../kit/http.ts'
import { endpointPath, withApp } from '../kit/oauth2.ts'
import { auth } from './auth.ts'

/** LinkedIn gives no app a token of its own, but says so only to an app that it knows. */
export async function checkApp(http: Http, question: AppQuestion): Promise<AppCheck> {
  const { form, headers } = withApp(auth, question.app, { grant_type: 'client_credentials' })
  const path = endpointPath(auth.tokenUrl, auth, http)
  const reply = await askAboutApp(http, { method: 'POST', path, form, headers })
  const signs = { accepted: ['access_denied', 'access_token'], refused: ['invalid_client'] }
  return {
    app: judgeByWords(reply, signs),
    redirect: await checkRedirect(http, question, ['redirect_uri does not match the registered value']),
  }
}
