import type { ApiPost } from '../client/api-post.ts'
import { crowdPrefix } from '../faults/crowd.ts'
import type { ChaosStack } from '../stack/start-chaos-stack.ts'
import { isCarriedOut } from './findings.ts'
import type { Violation } from './violation.ts'

/** Every post of the crowd must end as a success, published once, however long the servers took. */
export async function judgeCrowd({ crowd, simulator }: ChaosStack, seed: number): Promise<Violation[]> {
  const { texts, posts } = await crowd.posts(seed)
  if (texts.length === 0) return []
  const calls = Map.groupBy((await simulator.submits(crowdPrefix(seed))).filter(isCarriedOut), ({ text }) => text)
  const byText = new Map(posts.map((post) => [post.text, post]))
  return texts.flatMap((text) => judgeCrowdPost(text, calls.get(text)?.length ?? 0, byText.get(text)))
}

export function judgeCrowdPost(text: string, calls: number, post: ApiPost | undefined): Violation[] {
  const [channel] = post?.channels ?? []
  if (calls > 1) return [{ kind: 'doubled', text, detail: `the platform carried out ${calls} calls` }]
  if (calls === 0) return [{ kind: 'lost', text, detail: `never published; the channel says ${channel?.status}` }]
  if (channel?.status === 'success') return []
  return [{ kind: 'mismatch', text, detail: `the platform has it, the channel says ${channel?.status} (${channel?.errorCode})` }]
}
