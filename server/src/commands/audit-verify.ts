import { readConfig, type Config } from '../config.ts'
import { verifySince, type SinceFault } from '../features/audit/seal-audit.ts'
import { verifyAudit, type Verification } from '../features/audit/verify-audit.ts'
import { defineCommand } from '../infra/command-line/command.ts'
import { optionalText } from '../infra/command-line/option.ts'
import { openContext } from '../open-context.ts'

export const auditVerifyCommand = defineCommand({
  details:
    'Recomputes the hash chains of the audit logs and reports every entry that was changed, removed or inserted later. The exit code is 1 ' +
    'if a chain is broken.',
  options: {
    workspace: optionalText({ placeholder: 'ID', about: 'Only the log of this workspace or person. Without it, all logs.' }),
    since: optionalText({
      placeholder: 'VALUE',
      about: 'Also compare with what was published up to this value, which a worker wrote into its log as auditValue.',
    }),
  },
  run: ({ workspace, since }) => verify(readConfig(), { chain: workspace, since }),
  present: ({ chains, entries, notLinkedYet, faults, since }) =>
    [
      `${chains} logs with ${entries} entries were verified; ${notLinkedYet} entries are too new to be in a chain.`,
      ...(since === null
        ? []
        : [`They were compared with ${since.published} published files; ${since.gone} logs in them are no longer here.`]),
      faults.length === 0 ? 'No log was changed.' : `${faults.length} faults were found:`,
      ...faults.map((fault) => `- ${JSON.stringify(fault)}`),
    ].join('\n'),
  isFailed: ({ faults }) => faults.length > 0,
})

type Result = Omit<Verification, 'faults'> & {
  faults: (Verification['faults'][number] | SinceFault)[]
  since: { published: number; gone: number } | null
}

async function verify(config: Config, { chain, since }: { chain: string | null; since: string | null }): Promise<Result> {
  const { ctx, close } = await openContext(config)
  try {
    const verified = await verifyAudit(ctx, chain)
    if (since === null) return { ...verified, since: null }
    const { faults, ...compared } = await verifySince(ctx, since)
    return { ...verified, faults: [...verified.faults, ...faults], since: compared }
  } finally {
    await close()
  }
}
