import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, warn, type Check } from '../check.ts'

export const webApp: Check = {
  name: 'web-app',
  isQuick: true,
  async run({ config: { webDir } }) {
    const isThere = await access(join(webDir, 'index.html')).then(
      () => true,
      () => false,
    )
    if (isThere) return ok(`The web app is in ${webDir}.`)
    return warn(`There is no web app in ${webDir}; only the API is served.`, 'Build it, or set CARILLON_WEB_DIR to its folder.')
  },
}
