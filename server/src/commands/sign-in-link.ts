import { readConfig, type Config } from '../config.ts'
import { createSignInLink, type SignInLink } from '../features/people/create-sign-in-link.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { requiredText } from '../infra/command-line/option.ts'
import { openContext } from '../open-context.ts'

export const signInLinkCommand = defineCommand({
  details:
    'Prints a link with which a person sets a password and then signs in. It needs no mail server. The link works once and for one hour; ' +
    'give it to this person only. It is recorded in the activity of the account. A second factor stays as it is.',
  options: {
    email: requiredText({ placeholder: 'ADDRESS', about: 'The e-mail address of the person.', isWord: true }),
  },
  run: ({ email }) => createLink(readConfig(), email),
  present: ({ email, link, expiresAt }) => `${email} sets a password here, once, until ${expiresAt}:\n${link}`,
})

async function createLink(config: Config, email: string): Promise<SignInLink> {
  const { ctx, close } = await openContext(config)
  try {
    return await createSignInLink(ctx, email)
  } finally {
    await close()
  }
}
