import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { connectCommand } from './commands/connect.ts'
import { serveCommand } from './commands/serve.ts'
import { setupCommand } from './commands/setup.ts'
import { readConfig } from './config.ts'
import { migrate } from './infra/db/migrate.ts'

const usage = `carillon <command>

  serve    [--role all|api|worker]            run the service
  migrate                                     bring the database schema forward
  setup    [--workspace NAME] [--email E]     make the first workspace and API key
  connect  --workspace ID                     add connections given as JSON on standard input

  --json   print the result as JSON`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    role: { type: 'string', default: 'all' },
    workspace: { type: 'string' },
    email: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

function print(result: unknown): void {
  console.log(values.json ? JSON.stringify(result) : JSON.stringify(result, null, 2))
}

switch (positionals[0]) {
  case 'serve': {
    const { role } = values
    if (role !== 'all' && role !== 'api' && role !== 'worker') throw new Error(`--role must be all, api or worker, not "${role}"`)
    await serveCommand(readConfig(), role)
    break
  }
  case 'migrate':
    print({ applied: await migrate(readConfig().databaseUrl) })
    break
  case 'setup':
    print(
      await setupCommand(readConfig(), {
        workspace: values.workspace ?? 'My workspace',
        email: values.email ?? 'owner@example.com',
      }),
    )
    break
  case 'connect':
    if (!values.workspace) throw new Error('--workspace is required')
    print(await connectCommand(readConfig(), { workspaceId: values.workspace, json: await text(process.stdin) }))
    break
  default:
    console.error(usage)
    process.exitCode = 2
}
