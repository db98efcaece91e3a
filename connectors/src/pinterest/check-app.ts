import { askAboutApp, judgeByWords, untold, type AppCheck, type AppQuestion } from '../kit/check-app.ts'
import type { Http } from '../kit/http.ts'
import { withApp } from '../kit/oauth2.ts'
import { auth } from './auth.ts'

/** Others have seen that a made-up code of a known app is refused with the number 283, and every code of another app with this sentence. */
export async function checkApp(http: Http, { app, redirectUrl }: AppQuestion): Promise<AppCheck> {
  const fields = { grant_type: 'authorization_code', code: 'made-up', redirect_uri: redirectUrl, ...auth.codeFields }
  const { form, headers } = withApp(auth, app, fields)
  const reply = await askAboutApp(http, { method: 'POST', path: auth.tokenUrl, form, headers })
  return { app: judgeByWords(reply, { accepted: ['"code":283'], refused: ['Authentication failed'] }), redirect: untold }
}
