import { readConfig, type Config } from '../config.ts'
import { verifyAudit, type Verification } from '../features/audit/verify-audit.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { optionalText } from '../infra/command-line/option.ts'
import { openContext } from './open-context.ts'

export const auditVerifyCommand = defineCommand({
  details:
    'Recomputes the hash chains of the audit logs and reports every entry that was changed, removed or inserted later. The exit code is 1 ' +
    'if a chain is broken.',
  options: {
    workspace: optionalText({ placeholder: 'ID', about: 'Only the log of this workspace or person. Without it, all logs.' }),
  },
  run: ({ workspace }) => verify(readConfig(), workspace),
  present: ({ chains, entries, notLinkedYet, faults }) =>
    [
      `${chains} logs with ${entries} entries were verified; ${notLinkedYet} entries are too new to be in a chain.`,
      faults.length === 0 ? 'No log was changed.' : `${faults.length} faults were found:`,
      ...faults.map((fault) => `- ${JSON.stringify(fault)}`),
    ].join('\n'),
  isFailed: ({ faults }) => faults.length > 0,
})

async function verify(config: Config, chain: string | null): Promise<Verification> {
  const { ctx, close } = await openContext(config)
  try {
    return await verifyAudit(ctx, chain)
  } finally {
    await close()
  }
}
