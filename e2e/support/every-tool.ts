import { makePng } from './files.ts'
import { dayMs } from './posts.ts'
import { bluesky, testStack, timeAfter, uniqueText } from '../test-stack.ts'

type ToolAnswer = { isError: boolean; state: string; facts: Record<string, unknown> }
type CallTool = (tool: string, args: Record<string, unknown>) => Promise<ToolAnswer>

/** What a program does in a day with our tools: calls each of the twelve with arguments that work. Returns the first line of each answer. */
export async function callEveryTool(call: CallTool): Promise<Record<string, string>> {
  const states: Record<string, string> = {}
  const ask = async (tool: string, args: Record<string, unknown> = {}) => {
    const { state, facts, isError } = await call(tool, args)
    states[tool] = isError ? `FAILED: ${state}` : state
    return facts as { post?: { id: string }; file?: { id: string } }
  }
  const when = (days: number) => timeAfter(days * dayMs).slice(0, 16)
  await ask('get_context')
  const { file } = await ask('add_media', {
    base64: Buffer.from(makePng(31)).toString('base64'),
    name: 'bell.png',
    alt: 'A bell',
  })
  await ask('find_media', { type: 'image', limit: 5 })
  const post = { accounts: [bluesky], text: uniqueText('with every tool'), media: [{ id: file?.id }] }
  await ask('check_post', post)
  const { post: draft } = await ask('save_draft', post)
  await ask('publish_post', { id: draft?.id, when: when(3) })
  await ask('change_schedule', { id: draft?.id, when: when(4) })
  await ask('get_post', { id: draft?.id, detail: true })
  await ask('list_posts', { status: ['scheduled'], limit: 5 })
  await ask('get_figures')
  await ask('remove_post', { id: draft?.id, how: 'delete' })
  const failing = { accounts: [testStack.failConnection], text: uniqueText('to be sent again'), when: 'now' }
  const { post: failed } = await call('publish_post', failing).then(({ facts }) => facts as { post?: { id: string } })
  await ask('retry_post', { id: failed?.id })
  return states
}

/** What the twelve answers begin with. */
export const everyState = {
  get_context: /^\d+ accounts, \d+ of them can publish\./,
  add_media: /^ADDED to the media library\./,
  find_media: /^\d+ of \d+ files\./,
  check_post: /^CHECKED: this post can be published\./,
  save_draft: /^DRAFT: nothing was published/,
  publish_post: /^SCHEDULED for .+ Nothing was published yet\.$/,
  change_schedule: /SCHEDULED for /,
  get_post: /^SCHEDULED for /,
  list_posts: /^\d+ of \d+ posts\./,
  get_figures: /^FIGURES of \d+ accounts\./,
  remove_post: /^DELETED in Carillon\./,
  retry_post: /FAILED on /,
}
