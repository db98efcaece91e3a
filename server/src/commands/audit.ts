import type { Config } from '../config.ts'
import { verifyAudit, type Verification } from '../features/audit/verify-audit.ts'
import { openContext } from './open-context.ts'

/** Verifies the hash chain of one workspace or person, or of all. */
export async function auditVerifyCommand(config: Config, { chain }: { chain: string | null }): Promise<Verification> {
  const { ctx, close } = await openContext(config)
  try {
    return await verifyAudit(ctx, chain)
  } finally {
    await close()
  }
}
