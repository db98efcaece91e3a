import { fail, ok, warn, type Check } from '../check.ts'
import { fetchText } from '../fetch-text.ts'

/** As docs/configuration.md says. */
const supported = /^1\.(?:[7-9]|\d\d)\./

export const engine: Check = {
  name: 'engine',
  async run({ config: { restateAdminUrl, restateIngressUrl } }) {
    const admin = await fetchText(`${restateAdminUrl}/version`)
    if (!admin.isOk)
      return fail(
        `The engine does not answer at ${restateAdminUrl}: ${admin.problem}.`,
        'Start Restate, or correct RESTATE_ADMIN_URL.',
      )
    const ingress = await fetchText(`${restateIngressUrl}/restate/health`)
    if (!ingress.isOk)
      return fail(
        `The engine does not accept work at ${restateIngressUrl}: ${ingress.problem}.`,
        'Start Restate, or correct RESTATE_INGRESS_URL.',
      )
    const version = /"version"\s*:\s*"([^"]+)"/.exec(admin.text)?.[1] ?? 'unknown'
    if (!supported.test(version)) return warn(`The engine has the version ${version}.`, 'Use Restate 1.7 or a newer 1.x.')
    return ok(`The engine answers; it is Restate ${version}.`)
  },
}
