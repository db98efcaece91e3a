import { restateBinary } from './restate-binary.ts'
import type { RestateUrls } from './restate-node.ts'
import { runCommand } from './run-command.ts'
import { respondsOk } from './wait-until.ts'

/** Whether the node answers on its own ports. Its partitions may still have no leader. */
export async function isServing({ adminUrl, ingressUrl }: RestateUrls): Promise<boolean> {
  return (await respondsOk(`${adminUrl}/health`)) && (await respondsOk(`${ingressUrl}/restate/health`))
}

/** Whether every partition has a leader that has caught up. The health endpoint answers at least a second before this is true. */
export async function hasLeaders(urls: RestateUrls, partitions: number): Promise<boolean> {
  const query = `select distinct partition_id from partition_state where effective_mode = 'Leader' and replay_status = 'active'`
  const rows = await runCommand(restateBinary('restatectl'), ['--address', urls.nodeUrl, 'sql', '--jsonl', query])
  return rows.split('\n').filter((row) => row.startsWith('{')).length === partitions
}
