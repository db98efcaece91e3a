import { endAccess } from '../profiles/browser-sign-in.ts'
import { UsageError } from '../cli-error.ts'
import { defineCommand } from '../line/command.ts'
import { optionalText } from '../line/option.ts'
import { defaultProfile, readProfiles, writeProfile } from '../profiles/profiles.ts'

export const logout = defineCommand({
  details:
    'Removes a profile from this machine. What you allowed with a browser ends at once. An API key stays valid: revoke it in the web app if ' +
    'nobody else uses it.',
  examples: ['carillon logout', 'carillon logout --profile other'],
  options: { profile: optionalText({ placeholder: 'NAME', about: `The profile. Without it: ${defaultProfile}.` }) },
  async run({ profile: name }, _words, { terminal: { env } }) {
    const profile = name ?? defaultProfile
    const profiles = await readProfiles(env)
    const known = profiles[profile]
    if (known === undefined) throw new UsageError(`There is no profile ${profile}.`)
    // Before the profile goes: without the token nobody could end the access but a person in the web app.
    if (known.refreshToken !== undefined) await endAccess(known.url, known.refreshToken)
    await writeProfile(env, profile, null)
    if (known.refreshToken !== undefined)
      return { data: { profile, ended: true }, text: `Signed out. ${profile} has no access any more.` }
    return { data: { profile }, text: `Forgot the API key of ${profile}. It stays valid until you revoke it.` }
  },
})
