import type { OAuth2 } from '../kit/auth.ts'
import { askAboutApp, checkRedirect, judgeByWords, type AppCheck, type AppQuestion } from '../kit/check-app.ts'
import type { Http } from '../kit/http.ts'
import { endpointPath, withApp } from '../kit/oauth2.ts'

/** Google checks the app before the code (RFC 6749 section 5.2), so a made-up code tells about the app. */
export async function checkGoogleApp(http: Http, auth: OAuth2, question: AppQuestion): Promise<AppCheck> {
  const fields = { grant_type: 'authorization_code', code: 'made-up', redirect_uri: question.redirectUrl }
  const { form, headers } = withApp(auth, question.app, fields)
  const reply = await askAboutApp(http, { method: 'POST', path: endpointPath(auth.tokenUrl, auth, http), form, headers })
  return {
    app: judgeByWords(reply, { accepted: ['invalid_grant', 'redirect_uri_mismatch'], refused: ['invalid_client'] }),
    redirect: await checkRedirect(http, question, ['redirect_uri_mismatch']),
  }
}
