import { fail, ok, type Check } from '../check.ts'
import { fetchText } from '../fetch-text.ts'

export const signIn: Check = {
  name: 'sign-in',
  async run({ config: { oidc } }) {
    if (oidc === null) return ok('People sign in with a password or a passkey.')
    const answer = await fetchText(`${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    if (!answer.isOk)
      return fail(
        `The identity provider cannot be used: ${answer.problem}.`,
        'Correct CARILLON_OIDC_ISSUER, or start the provider.',
      )
    const issuer = /"issuer"\s*:\s*"([^"]+)"/.exec(answer.text)?.[1]
    if (issuer !== oidc.issuer)
      return fail(
        `The identity provider calls itself "${issuer ?? 'nothing'}".`,
        'Set CARILLON_OIDC_ISSUER to exactly this name; a slash at the end counts.',
      )
    return ok(`The identity provider ${oidc.issuer} answers.`)
  },
}
