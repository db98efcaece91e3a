import { setPriority } from 'node:os'
import { createSender } from '../support/send-from.ts'

/**
 * A program of its own, so that the time it needs for its requests is not part of the victim's. Real strangers have their own processors: the
 * low priority is as near to that as one machine comes. It sends 1,000 requests a second with the id of a workspace until it is told to stop,
 * and reports what it has seen.
 */
export type Report = { sent: number; perMinute: number; statuses: Record<string, number> }

const [workspaceId = ''] = process.argv.slice(2)
setPriority(10)
const senders = [createSender('127.0.1.0'), createSender('127.0.1.1')]
const statuses: Record<string, number> = {}
const begunMs = performance.now()
let sent = 0
let isOver = false
process.on('message', () => (isOver = true))

const reports = setInterval(report, 500)
await Promise.all(
  Array.from({ length: 20 }, async (_, n) => {
    while (!isOver) {
      // Keeps to 1,000 a second, as far as this machine can.
      const aheadMs = sent - (performance.now() - begunMs)
      if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs))
      await sendOne(n)
    }
  }),
)
clearInterval(reports)
report()
for (const { close } of senders) close()
process.disconnect()

async function sendOne(n: number): Promise<void> {
  const headers = { authorization: `Bearer nonsense-${sent++}`, 'x-workspace-id': workspaceId }
  const answer = await senders[n % senders.length]?.send({ path: '/api/content?limit=1', headers })
  const status = String(answer?.status)
  statuses[status] = (statuses[status] ?? 0) + 1
}

function report(): void {
  const perMinute = Math.round((sent / (performance.now() - begunMs)) * 60_000)
  process.send?.({ sent, perMinute, statuses } satisfies Report)
}
