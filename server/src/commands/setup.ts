import { readConfig, type Config } from '../config.ts'
import { setUpWorkspace } from '../features/workspaces/set-up-install.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { textWithDefault } from '../infra/command-line/option.ts'
import { migrateIfOwner } from '../infra/logins/prepare-database.ts'
import { openContext } from '../open-context.ts'

export const setupCommand = defineCommand({
  details:
    'Creates a person, a workspace and an API key for it, without the web app. The person has no password: they set one with the ' +
    'link that "carillon sign-in-link" prints. The key is printed once and cannot be shown again.',
  options: {
    workspace: textWithDefault({ placeholder: 'NAME', default: 'My workspace', about: 'The name of the workspace.' }),
    email: textWithDefault({ placeholder: 'ADDRESS', default: 'owner@example.com', about: 'The e-mail address of its owner.' }),
  },
  run: (wanted) => setUp(readConfig(), wanted),
  present: ({ workspaceId, apiKey, personId }) =>
    [
      `Workspace   ${workspaceId}`,
      `Owner       ${personId}`,
      `API key     ${apiKey}`,
      '',
      'Store the key now: it cannot be shown again. Send it as "Authorization: Bearer <key>".',
    ].join('\n'),
})

/** Creates the first person, workspace and API key. */
async function setUp(config: Config, wanted: { workspace: string; email: string }) {
  await migrateIfOwner(config)
  const { ctx, close } = await openContext(config)
  try {
    return await setUpWorkspace(ctx, wanted)
  } finally {
    await close()
  }
}
