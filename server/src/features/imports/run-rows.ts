import {
  content as contentEndpoints,
  type BodyOf,
  type ImportPlacement,
  type imports,
  type NewPost,
  type PostType,
} from '@carillon/contract'
import { createValidator } from '../../infra/http/schemas/create-validator.ts'
import { isId } from '../../infra/db/ids.ts'
import type { RowContent } from '../../infra/db/tables.ts'
import type { Tx } from '../../infra/db/db.ts'
import { commitThenRun } from '../../infra/http/commit-then-run.ts'
import type { RequestScope } from '../../infra/http/request-scope.ts'
import { problem, Problem } from '../../infra/problem/problem.ts'
import { lockQuota } from '../../infra/quota/quota.store.ts'
import { recordChange } from '../audit/record-change.ts'
import { getLabels } from '../labels/manage-labels.ts'
import { listStoredIds } from '../media/list-stored-ids.ts'
import { createPost } from '../posts/create-post.ts'
import { fetchNamedFiles, prepareWithFiles } from '../posts/files/prepare-with-files.ts'
import { publishDraft } from '../posts/publish-draft.ts'
import {
  findImport,
  findImportedPost,
  findPost,
  insertImportedPost,
  listRows,
  updateImport,
  updateRow,
  type ImportKey,
  type ImportRowRecord,
  type RowResult,
} from './import.store.ts'
import { resolveAccounts } from './match-accounts.ts'

export type RunOptions = BodyOf<typeof imports.run>
type Caller = Omit<RequestScope, 'tx' | 'afterCommit'>
type Names = { connections: ReadonlyMap<string, string>; labels: ReadonlyMap<string, string> }
type Run = { dryRun: boolean; placement: ImportPlacement; names: Names }
type Work = { placement: ImportPlacement; type: PostType; body: NewPost }

/** How long one request works; the next one goes on. Proxies end a request after a minute. */
const workMs = 20_000
const pageMax = 50

const validators: Readonly<Record<PostType, (body: unknown) => void>> = {
  text: createValidator(contentEndpoints.createText.body, 'body'),
  photo: createValidator(contentEndpoints.createPhotos.body, 'body'),
  video: createValidator(contentEndpoints.createVideo.body, 'body'),
  document: createValidator(contentEndpoints.createDocument.body, 'body'),
}

/** Undoes what a dry run has stored. */
class DryRun extends Error {}

/**
 * Goes over the rows of an import, each in a transaction of its own, until all are done or the time is over. Returns the row to go on with.
 * A row that fails is one result; the rows around it are not changed by it.
 */
export async function runRows(caller: Caller, id: string, options: RunOptions): Promise<number | null> {
  const { ctx, principal } = caller
  const { dryRun = true, placement = 'draft', from = 1 } = options
  if (!dryRun && placement === 'scheduled' && options.oldQueueStopped !== true) throw problem('old_queue_running')
  const key = { workspaceId: principal.workspaceId, id }
  const names = await rememberNames(caller, key, options.accounts ?? {})
  const endMs = ctx.nowMs() + workMs
  for (let next = from; ;) {
    const rows = await ctx.db.readOnly(key.workspaceId, (tx) => listRows(tx, key, { from: next, limit: pageMax }))
    for (const row of rows) {
      if (ctx.nowMs() >= endMs) return row.number
      await runRow({ ...caller, nowMs: ctx.nowMs() }, key, row, { dryRun, placement, names })
      next = row.number + 1
    }
    if (rows.length < pageMax) return null
  }
}

/** Keeps what a person said about accounts, and adds what can be told from their names. */
async function rememberNames(caller: Caller, key: ImportKey, given: Record<string, string>): Promise<Names> {
  return caller.ctx.db.tenant(key.workspaceId, async (tx) => {
    const found = await findImport(tx, key)
    if (!found) throw problem('import_not_found')
    const scope = { ...caller, tx, afterCommit: () => {} }
    const said = { ...found.accounts, ...given }
    if (Object.keys(given).length > 0) await updateImport(tx, key, { accounts: JSON.stringify(said) })
    const connections = (await resolveAccounts(scope, key, said)).flatMap(({ account, connection }): [string, string][] =>
      connection === null ? [] : [[account, connection]],
    )
    const labels = (await getLabels(scope)).flatMap(({ id, name }): [string, string][] => [
      [id, id],
      [name.toLowerCase(), id],
    ])
    return { connections: new Map(connections), labels: new Map(labels) }
  })
}

async function runRow(caller: Caller, key: ImportKey, row: ImportRowRecord, run: Run): Promise<void> {
  const { content } = row
  if (content === null) return
  const { ctx } = caller
  const save = (result: RowResult) => ctx.db.tenant(key.workspaceId, (tx) => updateRow(tx, key, row.number, result))
  if (content.state === 'published') return save({ status: 'skipped', message: 'The other tool has published it already.' })
  try {
    const work = await readWork(caller, content, run)
    const result = run.dryRun ? await tryRow(caller, row.key, work) : await makeRow(caller, key, row, work)
    if (result) await save(result)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { code, message, details = [] } = error
    const said = details[0]?.message
    await save({
      status: 'refused',
      code,
      message: code === 'request_invalid' && said !== undefined ? `${details[0]?.path}: ${said}` : message,
      details: details.map(({ path, code: found, message: sentence }) => ({
        path,
        message: sentence,
        ...(found !== undefined && { code: found }),
      })),
    })
  }
}

/** The row as the body of a create, checked as one. */
async function readWork(caller: Caller, { type, accounts, state, fields }: RowContent, run: Run): Promise<Work> {
  const { mediaUrls, ...known } = fields
  const slugs = accounts.map((account) => run.names.connections.get(account))
  const strange = accounts.filter((_, index) => slugs[index] === undefined)
  if (strange.length > 0) {
    const details = strange.map((account) => ({
      path: 'connections',
      code: 'connection_unknown',
      params: { connection: account },
      message: `Say which connection stands for "${account}".`,
    }))
    throw problem('connection_unknown', { message: details.map(({ message }) => message).join(' '), details })
  }
  const at = typeof known['scheduledAt'] === 'string' ? known['scheduledAt'] : null
  const isDraft = run.placement === 'draft' || state === 'draft' || at === null
  const body: Record<string, unknown> = { ...known, connections: [...new Set(slugs)], ...(isDraft && { saveDraft: true }) }
  if (body['text'] === '') delete body['text']
  // A draft of long ago has no time any more; a post that is to be scheduled is refused instead, and not published at once.
  const isPast = at !== null && Date.parse(at) <= caller.nowMs
  if (isDraft && isPast) delete body['scheduledAt']
  if (!isDraft && isPast) {
    const message = `"${at}" is in the past.`
    throw problem('request_invalid', { message, details: [{ path: 'scheduledAt', code: 'schedule_past', message }] })
  }
  if (body['labels'] !== undefined) body['labels'] = labelIds(body['labels'], run.names.labels)
  const chosen = await chooseFiles(caller, body['medias'], mediaUrls)
  if (chosen !== undefined) body['medias'] = chosen
  if (type === 'text') for (const name of ['medias', 'mediaOptions']) delete body[name]
  renameOptions(body, accounts, run.names)
  validators[type](body)
  return { type, body: body as NewPost, placement: isDraft ? 'draft' : 'scheduled' }
}

/** An export names files by id for this workspace, and by address for others. */
async function chooseFiles({ ctx, principal }: Caller, medias: unknown, urls: unknown): Promise<unknown> {
  if (!Array.isArray(urls) || urls.length === 0) return medias
  if (!Array.isArray(medias) || medias.length !== urls.length) return urls
  const ids = medias.filter((entry) => typeof entry === 'string').filter(isId)
  const stored = await ctx.db.readOnly(principal.workspaceId, (tx) => listStoredIds(tx, principal.workspaceId, ids))
  return medias.map((entry: unknown, index): unknown => (typeof entry === 'string' && stored.has(entry) ? entry : urls[index]))
}

function labelIds(named: unknown, labels: ReadonlyMap<string, string>): unknown {
  if (!Array.isArray(named)) return named
  return named.map((entry: unknown, index) => {
    const id = typeof entry === 'string' ? labels.get(entry.toLowerCase()) : undefined
    if (id === undefined) {
      const message = `The workspace has no label "${String(entry)}".`
      throw problem('request_invalid', { message, details: [{ path: `labels[${index}]`, message }] })
    }
    return id
  })
}

/** The options of an account that is called otherwise here. */
function renameOptions(body: Record<string, unknown>, accounts: readonly string[], { connections }: Names): void {
  const options = body['platformOptions']
  if (typeof options !== 'object' || options === null) return
  body['platformOptions'] = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [accounts.includes(name) ? (connections.get(name) ?? name) : name, value]),
  )
}

/** Makes the post and takes it back. Files at addresses are not fetched. */
async function tryRow(caller: Caller, key: string, { type, body, placement }: Work): Promise<RowResult> {
  const { ctx, principal } = caller
  let result: RowResult = { status: 'ready', placement }
  try {
    await ctx.db.tenant(principal.workspaceId, async (tx) => {
      const postId = await findExisting({ ...caller, tx }, key)
      if (postId === undefined) await createPost({ ...caller, tx, afterCommit: () => {} }, type, { ...body, async: true })
      else result = { status: 'exists', postId, message: 'It was imported before.' }
      throw new DryRun()
    })
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
  }
  return result
}

/** Stores the post, and in the same transaction that the row is one. Returns what became of the row if that is not stored yet. */
async function makeRow(caller: Caller, key: ImportKey, row: ImportRowRecord, work: Work): Promise<RowResult | null> {
  const { ctx, principal } = caller
  const { workspaceId } = principal
  const before = await ctx.db.readOnly(workspaceId, (tx) => findExisting({ ...caller, tx }, row.key))
  if (before !== undefined) return releaseDraft(caller, before, work)
  const prepared = await prepareWithFiles(ctx, async (stored) => {
    const complete = await fetchNamedFiles(ctx, work.body, { workspaceId, stored })
    return { store: (scope) => createPost(scope, work.type, complete) }
  })
  try {
    const other = await commit(caller, async (tx, afterCommit) => {
      // Of two imports of the same row at the same time, the second waits here and finds the post.
      await lockQuota(tx, `import ${workspaceId} ${row.key}`)
      const existing = await findExisting({ ...caller, tx }, row.key)
      if (existing !== undefined) return existing
      const made = await prepared.store({ ...caller, tx, afterCommit })
      const postId = 'subjectId' in made ? made.subjectId : undefined
      if (postId === undefined) throw new Error('a created post has no id')
      await insertImportedPost(tx, { workspaceId, key: row.key, postId })
      await recordChange(tx, {
        action: 'post.create',
        subjectId: postId,
        by: principal,
        nowMs: caller.nowMs,
        traceId: caller.traceId,
      })
      await updateRow(tx, key, row.number, { status: 'created', placement: work.placement, postId })
      return null
    })
    if (other === null) return null
    await prepared.discard()
    return { status: 'exists', postId: other, message: 'It was imported before.' }
  } catch (error) {
    await prepared.discard()
    throw error
  }
}

function commit<T>(caller: Caller, work: (tx: Tx, afterCommit: RequestScope['afterCommit']) => Promise<T>): Promise<T> {
  const { ctx, principal } = caller
  return commitThenRun(caller, (run) => ctx.db.tenant(principal.workspaceId, run), work)
}

/** A row that is a draft already is scheduled as it is now, if that is what this run is for. */
async function releaseDraft(caller: Caller, postId: string, { placement }: Work): Promise<RowResult> {
  const { principal } = caller
  const { workspaceId } = principal
  const isScheduled = await commit(caller, async (tx, afterCommit) => {
    if (placement === 'draft') return false
    const post = await findPost(tx, { workspaceId, id: postId })
    // Without a time that is still to come, it would be published at once.
    if (post?.status !== 'draft' || post.scheduled_at === null || post.scheduled_at.getTime() <= caller.nowMs) return false
    await publishDraft({ ...caller, tx, ifMatch: null, afterCommit }, postId)
    await recordChange(tx, {
      action: 'post.publish',
      subjectId: postId,
      by: principal,
      nowMs: caller.nowMs,
      traceId: caller.traceId,
    })
    return true
  })
  return isScheduled
    ? { status: 'created', placement: 'scheduled', postId, message: 'The draft of an earlier import was scheduled.' }
    : { status: 'exists', postId, message: 'It was imported before.' }
}

/** The post of this row: one that an import made, or the one of this workspace that was exported. */
async function findExisting({ tx, principal }: Pick<RequestScope, 'tx' | 'principal'>, key: string): Promise<string | undefined> {
  const { workspaceId } = principal
  const imported = await findImportedPost(tx, workspaceId, key)
  if (imported !== undefined) return imported
  const id = key.replace(/^file:/, '')
  return isId(id) && (await findPost(tx, { workspaceId, id })) ? id : undefined
}
