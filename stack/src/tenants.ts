import { asRecord, textOf } from '../services/json-request.ts'

export type Tenant = { workspaceId: string; apiKey: string; personId: string }

/** Runs a command of the server's program and returns the JSON it printed. */
export type RunCommand = (args: readonly string[], input?: string) => Promise<unknown>

/** Creates a person with a workspace on the largest plan and an API key for it. */
export async function setUpTenant(run: RunCommand, { workspace, email }: { workspace: string; email: string }): Promise<Tenant> {
  const made = asRecord(await run(['setup', '--json', '--workspace', workspace, '--email', email]))
  return { workspaceId: textOf(made, 'workspaceId'), apiKey: textOf(made, 'apiKey'), personId: textOf(made, 'personId') }
}

export type ConnectedAccount = { slug: string; id: string; platform: string }

/** Connects accounts without the sign-in of a person. The result is in the order of the input. */
export async function connectAccounts(
  run: RunCommand,
  workspaceId: string,
  connections: readonly unknown[],
): Promise<ConnectedAccount[]> {
  const made = await run(['connect', '--json', '--workspace', workspaceId], JSON.stringify(connections))
  if (!Array.isArray(made)) throw new Error('the connect command must print a list')
  return made.map((each: unknown) => {
    const record = asRecord(each)
    return { slug: textOf(record, 'slug'), id: textOf(record, 'id'), platform: textOf(record, 'platform') }
  })
}
