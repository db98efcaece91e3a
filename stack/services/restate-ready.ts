import { restateBinary } from './restate-binary.ts'
import type { RestateUrls } from './restate-node.ts'
import { runCommand } from './run-command.ts'
import { answers } from './wait-until.ts'

/** Answers on its own ports; says nothing about whether any partition has a leader. */
export async function isServing({ adminUrl, ingressUrl }: RestateUrls): Promise<boolean> {
  return (await answers(`${adminUrl}/health`)) && (await answers(`${ingressUrl}/restate/health`))
}

/** Every partition has a leader that has caught up. Health turns good a second or more before this is true. */
export async function hasLeaders(urls: RestateUrls, partitions: number): Promise<boolean> {
  const query = `select distinct partition_id from partition_state where effective_mode = 'Leader' and replay_status = 'active'`
  const rows = await runCommand(restateBinary('restatectl'), ['--address', urls.nodeUrl, 'sql', '--jsonl', query])
  return rows.split('\n').filter((row) => row.startsWith('{')).length === partitions
}
