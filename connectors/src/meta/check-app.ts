import { askAboutApp, judgeByWords, untold, type AppCheck, type AppQuestion } from '../kit/check-app.ts'
import type { Http } from '../kit/http.ts'

/** A token of the app itself is documented ("App access tokens"). The id of another product's app is not valid. */
export async function checkAppByToken(http: Http, path: string, { app }: AppQuestion): Promise<AppCheck> {
  const query = { grant_type: 'client_credentials', client_id: app.clientId, client_secret: app.clientSecret }
  const reply = await askAboutApp(http, { method: 'GET', path, query })
  const refused = ['Error validating client secret', 'Error validating application', 'Invalid Client ID', '4476002']
  return { app: judgeByWords(reply, { accepted: ['"access_token"'], refused }), redirect: untold }
}
