import { UsageError } from '../cli-error.ts'
import { defineCommand } from '../line/command.ts'
import { optionalText } from '../line/option.ts'
import { defaultProfile, readProfiles, writeProfile } from '../profiles/profiles.ts'

export const logout = defineCommand({
  details:
    'Removes the API key of a profile from this machine. The key itself stays valid: revoke it in the web app if nobody else uses it.',
  examples: ['carillon logout', 'carillon logout --profile other'],
  options: { profile: optionalText({ placeholder: 'NAME', about: `The profile. Without it: ${defaultProfile}.` }) },
  async run({ profile: name }, _words, { terminal: { env } }) {
    const profile = name ?? defaultProfile
    const profiles = await readProfiles(env)
    if (profiles[profile] === undefined) throw new UsageError(`There is no profile ${profile}.`)
    await writeProfile(env, profile, null)
    return { data: { profile }, text: `Forgot the API key of ${profile}. It stays valid until you revoke it.` }
  },
})
