import { logProgress } from '../log-progress.ts'
import { requestJson } from '../request-json.ts'
import type { BenchStack } from '../setup/bench-stack.ts'
import { connectTo } from '../setup/connect-accounts.ts'
import { platforms, type Platform } from '../setup/simulator.ts'
import { webhookEvents } from './start-receiver.ts'

export type Target = { slug: string; platform: Platform; handle: string }
export type SoakWorkspace = { id: string; headers: Record<string, string>; targets: Target[] }

type Options = { workspaces: number; accountsPerPlatform: number }

/** Makes the workspaces, each with its own accounts on every platform and a webhook for everything that becomes of its posts. */
export async function setUpWorkspaces(
  { stack, simulator }: BenchStack,
  { workspaces, accountsPerPlatform }: Options,
): Promise<SoakWorkspace[]> {
  const made: SoakWorkspace[] = []
  for (let n = 1; n <= workspaces; n++) {
    const answer = await stack.run(['setup', '--json', '--workspace', `Soak ${n}`, '--email', `soak-${n}@example.com`])
    const { workspaceId: id, apiKey } = answer as { workspaceId: string; apiKey: string }
    const headers = { authorization: `Bearer ${apiKey}`, 'x-workspace-id': id }
    const targets: Target[] = []
    for (const platform of platforms) {
      const connected = await connectTo(stack, simulator, {
        workspaceId: id,
        platform,
        handle: `soak${n}`,
        count: accountsPerPlatform,
      })
      targets.push(...connected.map(({ slug, account }) => ({ slug, platform, handle: account.handle })))
    }
    await requestJson(`${stack.info.baseUrl}/webhooks`, {
      headers,
      body: { url: `https://${stack.info.webhookHost}/${id}`, events: webhookEvents },
    })
    made.push({ id, headers, targets })
    logProgress(`workspace ${n} has ${targets.length} accounts`)
  }
  return made
}
