import { askAboutApp, judgeByWords, untold, type AppCheck, type AppQuestion } from '../kit/check-app.ts'
import type { Http } from '../kit/http.ts'
import { withApp } from '../kit/oauth2.ts'
import { auth } from './auth.ts'

/** A token of the app itself is documented ("Client access token management"). Errors may come with status 200. */
export async function checkApp(http: Http, { app }: AppQuestion): Promise<AppCheck> {
  const { form, headers } = withApp(auth, app, { grant_type: 'client_credentials' })
  const reply = await askAboutApp(http, { method: 'POST', path: auth.tokenUrl, form, headers })
  return { app: judgeByWords(reply, { accepted: ['"access_token"'], refused: ['invalid_client'] }), redirect: untold }
}
