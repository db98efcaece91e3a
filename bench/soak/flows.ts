import { setTimeout as sleep } from 'node:timers/promises'
import { completePng } from '../fair/make-png.ts'
import type { Entry, Ledger } from './create-ledger.ts'
import type { SoakWorkspace, Target } from './set-up-workspaces.ts'
import type { SoakClient } from './create-soak-client.ts'

type FlowContext = {
  client: SoakClient
  ledger: Ledger
  workspace: SoakWorkspace
  targets: readonly Target[]
  /** Unique: the platforms' records are matched by it. */
  text: string
  /** When a post that is scheduled by this flow is due. */
  dueAtMs: number
  /** A picture without its last chunk. */
  picture: Buffer
  /** Pictures in the library of the workspace, for posts that use one again. */
  library: string[]
}

export type Flow = (ctx: FlowContext) => Promise<void>

type Created = { uploadId?: string; draftId?: string }

const libraryMax = 8
const aMomentMs = 4000

function newEntry({ ledger, workspace, text, targets, dueAtMs }: FlowContext, state: Entry['state']): Entry {
  return ledger.add({ workspaceId: workspace.id, id: null, text, targets, dueAtMs, state })
}

function bodyOf({ targets, text }: FlowContext, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { connections: targets.map(({ slug }) => slug), text, ...more }
}

/** Creates a post and writes down what became of the request. True if the service has the post. */
async function create(ctx: FlowContext, entry: Entry, path: string, body: Record<string, unknown>): Promise<boolean> {
  const { status, data } = await ctx.client.call<Created>(ctx.workspace, 'POST', path, body)
  entry.id = (status === 201 && (data?.uploadId ?? data?.draftId)) || null
  if (entry.id === null) entry.state = status === 0 || status >= 500 ? 'unknown' : 'deleted'
  return entry.id !== null
}

const scheduledAt = (atMs: number) => ({ scheduledAt: new Date(atMs).toISOString() })

const isOk = (status: number) => status >= 200 && status < 300

/** A change that was not answered leaves open what is sent. */
function note(entry: Entry, status: number, state: Entry['state']): void {
  entry.state = isOk(status) ? state : 'unknown'
}

const scheduledText: Flow = async (ctx) => {
  await create(ctx, newEntry(ctx, 'expected'), '/content/text', bodyOf(ctx, scheduledAt(ctx.dueAtMs)))
}

const immediateText: Flow = async (ctx) => {
  const entry = newEntry(ctx, 'expected')
  entry.dueAtMs = null
  await create(ctx, entry, '/content/text', bodyOf(ctx))
}

const newPhoto: Flow = async (ctx) => {
  const { client, workspace, library, picture } = ctx
  const id = await client.upload(workspace, completePng(picture))
  if (id === null) return
  library.push(id)
  await create(ctx, newEntry(ctx, 'expected'), '/content/photos', bodyOf(ctx, { medias: [id], ...scheduledAt(ctx.dueAtMs) }))
  // The library of a person does not grow for ever either: what no post needs any more is deleted.
  const old = library.length > libraryMax ? library.shift() : undefined
  if (old !== undefined) await client.call(workspace, 'DELETE', `/media/${old}?force=true`)
}

const photoAgain: Flow = async (ctx) => {
  // Not one of the oldest: they are deleted soon.
  const id = ctx.library.at(-1)
  if (id === undefined) return scheduledText(ctx)
  await create(ctx, newEntry(ctx, 'expected'), '/content/photos', bodyOf(ctx, { medias: [id], ...scheduledAt(ctx.dueAtMs) }))
}

/** A draft that is edited twice and then scheduled. */
const editedDraft: Flow = async (ctx) => {
  const { client, workspace, text } = ctx
  const entry = newEntry(ctx, 'draft')
  if (!(await create(ctx, entry, '/content/text', bodyOf(ctx, { text: `${text} first version`, saveDraft: true })))) return
  await sleep(aMomentMs)
  await client.call(workspace, 'PATCH', `/content/${entry.id}`, { text: `${text} second version` })
  await sleep(aMomentMs)
  const edited = await client.call(workspace, 'PATCH', `/content/${entry.id}`, { text, ...scheduledAt(ctx.dueAtMs) })
  if (!isOk(edited.status)) return
  const { status } = await client.call(workspace, 'POST', `/content/${entry.id}/publish`)
  note(entry, status, 'expected')
}

/** A scheduled post that returns to the drafts, is changed and scheduled again. */
const editedSchedule: Flow = async (ctx) => {
  const { client, workspace, text } = ctx
  const entry = newEntry(ctx, 'expected')
  const body = bodyOf(ctx, { text: `${text} old`, ...scheduledAt(ctx.dueAtMs + 600_000) })
  if (!(await create(ctx, entry, '/content/text', body))) return
  entry.state = 'unknown'
  await sleep(aMomentMs)
  const back = await client.call(workspace, 'POST', `/content/${entry.id}/unschedule`)
  if (!isOk(back.status)) return
  const edited = await client.call(workspace, 'PATCH', `/content/${entry.id}`, { text, ...scheduledAt(ctx.dueAtMs) })
  if (!isOk(edited.status)) return
  const { status } = await client.call(workspace, 'POST', `/content/${entry.id}/publish`)
  note(entry, status, 'expected')
}

const rescheduled: Flow = async (ctx) => {
  const { client, workspace } = ctx
  const entry = newEntry(ctx, 'expected')
  if (!(await create(ctx, entry, '/content/text', bodyOf(ctx, scheduledAt(ctx.dueAtMs + 600_000))))) return
  await sleep(aMomentMs)
  const { status } = await client.call(workspace, 'POST', `/content/${entry.id}/reschedule`, scheduledAt(ctx.dueAtMs))
  note(entry, status, 'expected')
}

const deletedBefore: Flow = async (ctx) => {
  const { client, workspace } = ctx
  const entry = newEntry(ctx, 'expected')
  if (!(await create(ctx, entry, '/content/text', bodyOf(ctx, scheduledAt(ctx.dueAtMs))))) return
  await sleep(aMomentMs)
  const { status } = await client.call(workspace, 'DELETE', `/content/${entry.id}`)
  // Deleted so late that it may be under way, on a machine that is very busy.
  note(entry, status, Date.now() < ctx.dueAtMs ? 'deleted' : 'removed')
}

const deletedDraft: Flow = async (ctx) => {
  const { client, workspace } = ctx
  const entry = newEntry(ctx, 'draft')
  if (!(await create(ctx, entry, '/content/text', bodyOf(ctx, { saveDraft: true })))) return
  await sleep(aMomentMs)
  const { status } = await client.call(workspace, 'DELETE', `/content/${entry.id}`)
  note(entry, status, 'deleted')
}

const deletedAfter: Flow = async (ctx) => {
  const { client, workspace } = ctx
  const entry = newEntry(ctx, 'expected')
  entry.dueAtMs = null
  if (!(await create(ctx, entry, '/content/text', bodyOf(ctx)))) return
  await sleep(10 * aMomentMs)
  const { status } = await client.call(workspace, 'DELETE', `/content/${entry.id}`)
  note(entry, status, 'removed')
}

/** Twenty posts in the proportions of the load; the order spreads the rare kinds. */
export const flows: readonly Flow[] = [
  scheduledText,
  newPhoto,
  scheduledText,
  editedDraft,
  scheduledText,
  deletedBefore,
  photoAgain,
  scheduledText,
  immediateText,
  editedSchedule,
  scheduledText,
  photoAgain,
  scheduledText,
  deletedAfter,
  rescheduled,
  scheduledText,
  deletedDraft,
  photoAgain,
  scheduledText,
  immediateText,
]
