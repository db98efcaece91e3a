import { readConfig, type Config } from '../config.ts'
import { assignAddress, type AssignedAddress } from '../features/people/address/change-address.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { requiredText } from '../infra/command-line/option.ts'
import { openContext } from '../open-context.ts'

export const changeAddressCommand = defineCommand({
  details:
    'Gives a person another e-mail address, without a mail to the new one: make sure that it is theirs. The person is signed out ' +
    'everywhere and signs in with the new address; password, passkeys, API keys and memberships stay. It is recorded in the activity of ' +
    'the account.',
  options: {
    from: requiredText({ placeholder: 'ADDRESS', about: 'The present address of the person.', isWord: true }),
    to: requiredText({ placeholder: 'ADDRESS', about: 'The new address.' }),
  },
  run: ({ from, to }) => changeAddress(readConfig(), { from, to }),
  present: ({ from, to }) => `${from} is now ${to}, and signs in with this address.`,
})

async function changeAddress(config: Config, wanted: { from: string; to: string }): Promise<AssignedAddress> {
  const { ctx, close } = await openContext(config)
  try {
    return await assignAddress(ctx, wanted)
  } finally {
    await close()
  }
}
