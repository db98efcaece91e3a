import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { auditVerifyCommand } from './commands/audit.ts'
import { connectCommand } from './commands/connect.ts'
import { fenceLiftCommand, fenceStatusCommand } from './commands/fence.ts'
import { planCommand } from './commands/plan.ts'
import { restoreFinishCommand } from './commands/restore.ts'
import { serveCommand } from './commands/serve.ts'
import { setupCommand } from './commands/setup.ts'
import { readConfig } from './config.ts'
import { migrateDatabase } from './infra/logins/prepare-database.ts'
import { ownerUrl } from './infra/logins/login-urls.ts'
import { ensureGroupRoles } from './infra/logins/login.store.ts'
import { StartError } from './infra/problem/start-error.ts'

const usage = `carillon <command>

  serve    [--role all|api|worker]            run the service
  migrate                                     bring the database schema and its logins forward
  roles                                       make the roles that a dump needs, before it is restored into a new PostgreSQL
  setup    [--workspace NAME] [--email E]     make the first workspace and API key
  connect  --workspace ID                     add connections given as JSON on standard input
  plan     --workspace ID --plan P            change the plan of a workspace: free, pro or business
  audit    verify [--workspace ID]            recompute the hash chains of the audit logs; exit code 1 if one is broken
  fence    status                             show whether sending is stopped, and why
  fence    lift --nothing-lost                start sending again: the database is complete
  restore  finish --lost-from T --lost-until T
                                              start sending again after a restore; times with an offset

  --json   print the result as JSON`

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    role: { type: 'string', default: 'all' },
    workspace: { type: 'string' },
    email: { type: 'string' },
    plan: { type: 'string' },
    'nothing-lost': { type: 'boolean', default: false },
    'lost-from': { type: 'string' },
    'lost-until': { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

function print(result: unknown): void {
  console.log(values.json ? JSON.stringify(result) : JSON.stringify(result, null, 2))
}

/** Commands of two words; the others have one. */
const twoWords = new Set(['audit', 'fence', 'restore'])
const command = twoWords.has(positionals[0] ?? '') ? positionals.slice(0, 2).join(' ') : positionals[0]

async function run(): Promise<void> {
  switch (command) {
    case 'serve': {
      const { role } = values
      if (role !== 'all' && role !== 'api' && role !== 'worker')
        throw new Error(`--role must be all, api or worker, not "${role}"`)
      await serveCommand(readConfig(), role)
      break
    }
    case 'migrate':
      print(await migrateDatabase(readConfig()))
      break
    case 'roles':
      print({ created: await ensureGroupRoles(ownerUrl(readConfig())) })
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
    case 'plan':
      if (!values.workspace || !values.plan) throw new Error('--workspace and --plan are required')
      print(await planCommand(readConfig(), { workspaceId: values.workspace, plan: values.plan }))
      break
    case 'audit verify': {
      const verification = await auditVerifyCommand(readConfig(), { chain: values.workspace ?? null })
      print(verification)
      if (verification.faults.length > 0) process.exitCode = 1
      break
    }
    case 'fence status':
      print(await fenceStatusCommand(readConfig()))
      break
    case 'fence lift':
      print(await fenceLiftCommand(readConfig(), { nothingLost: values['nothing-lost'] }))
      break
    case 'restore finish':
      if (!values['lost-from'] || !values['lost-until']) throw new Error('--lost-from and --lost-until are required')
      print(await restoreFinishCommand(readConfig(), { lostFrom: values['lost-from'], lostUntil: values['lost-until'] }))
      break
    default:
      console.error(usage)
      process.exitCode = 2
  }
}

try {
  await run()
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(error.message)
  process.exit(1)
}
