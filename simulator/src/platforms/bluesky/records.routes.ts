import type { Call } from '../../http/call.ts'
import { flagOf, isFields, textOf, type Fields } from '../../http/fields.ts'
import { json, Refusal } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { markRepeated, type SubmitRequest } from '../../state/submits.ts'
import { checkRecord, isStrongRef, postCollection } from './check-record.ts'
import { cidOfRecord } from './cid.ts'
import type { Repo } from './create-repo.ts'
import { failure, invalidRequest, unauthorized } from './errors.ts'
import { findByName } from './sessions.routes.ts'
import { isTid } from './tid.ts'

type Target = { account: Account; collection: string; rkey: string | undefined; fields: Fields }

export function recordRoutes(
  context: PlatformContext,
  { repo, nextTid }: { repo: Repo; nextTid: (nowMs: number) => string },
): Route[] {
  const commitOf = (cid: string) => ({ cid, rev: nextTid(context.now()) })

  const create = (call: Call, session: Session) => {
    const { account, collection, rkey = nextTid(context.now()), fields } = readTarget(context, call, session)
    const record = readRecord(fields, collection, rkey)
    // The real server does not handle this error, so it replies with a 500 without a name.
    if (repo.findIn(account, collection, rkey)) throw new Refusal(failure(500))
    const cid = cidOfRecord(record)
    const { uri } = repo.write({ account, collection, rkey, record, call }, cid)
    return json(200, { uri, cid, commit: commitOf(cid), validationStatus: 'valid' })
  }

  const put = (call: Call, session: Session) => {
    const { account, collection, rkey, fields } = readTarget(context, call, session)
    if (rkey === undefined) throw invalidRequest('Input must have the property "rkey"')
    const record = readRecord(fields, collection, rkey)
    const cid = cidOfRecord(record)
    const current = repo.findIn(account, collection, rkey)
    // An equal record changes nothing, even if `swapRecord` does not match. The reply then has no `commit`.
    if (current?.cid === cid) {
      markRepeated(call)
      return json(200, { uri: current.uri, cid, validationStatus: 'valid' })
    }
    const { swapRecord } = fields
    if (swapRecord !== undefined && swapRecord !== (current?.cid ?? null)) {
      throw invalidRequest(`Record was at ${current?.cid ?? 'null'}`, 'InvalidSwap')
    }
    const { uri } = repo.write({ account, collection, rkey, record, call }, cid)
    return json(200, { uri, cid, commit: commitOf(cid), validationStatus: 'valid' })
  }

  const remove = (call: Call, session: Session) => {
    const { account, collection, rkey } = readTarget(context, call, session)
    if (rkey === undefined) throw invalidRequest('Input must have the property "rkey"')
    const entry = repo.findIn(account, collection, rkey)
    // Deleting a record that does not exist succeeds too.
    if (!entry) return json(200, {})
    repo.remove(entry)
    return json(200, { commit: commitOf(entry.cid) })
  }

  const get = ({ query }: Call) => {
    const account = findByName(context, query.get('repo') ?? '')
    const entry = account && repo.findIn(account, query.get('collection') ?? '', query.get('rkey') ?? '')
    if (!entry || !repo.isVisible(entry))
      throw invalidRequest(
        `Could not locate record: at://${query.get('repo')}/${query.get('collection')}/${query.get('rkey')}`,
        'RecordNotFound',
      )
    return json(200, { uri: entry.uri, cid: entry.cid, value: entry.value })
  }

  const list = ({ query }: Call) => {
    const account = findByName(context, query.get('repo') ?? '')
    if (!account) throw invalidRequest(`Could not find repo: ${query.get('repo')}`)
    const limit = Math.min(100, Number(query.get('limit') ?? 50))
    const cursor = query.get('cursor')
    const isReversed = flagOf(query.get('reverse'))
    const all = repo.list(account, query.get('collection') ?? '').filter(repo.isVisible)
    if (isReversed) all.reverse()
    const rest = cursor === null ? all : all.filter(({ rkey }) => (isReversed ? rkey > cursor : rkey < cursor))
    const page = rest.slice(0, limit)
    const last = page.at(-1)
    return json(200, {
      records: page.map(({ uri, cid, value }) => ({ uri, cid, value })),
      ...(last ? { cursor: last.rkey } : {}),
    })
  }

  const path = (name: string) => `/xrpc/com.atproto.repo.${name}`
  const points = (cost: number) => [
    { limit: 'writesHour', cost },
    { limit: 'writesDay', cost },
    { limit: 'ip', cost: 1 },
  ]
  const ip = [{ limit: 'ip', cost: 1 }]
  const findAccount = ({ query }: Call) => findByName(context, query.get('repo') ?? '')
  return [
    {
      method: 'POST',
      path: path('createRecord'),
      operation: 'submit',
      charges: points(3),
      readSubmit: readSubmit('create_record'),
      handle: create,
    },
    {
      method: 'POST',
      path: path('putRecord'),
      operation: 'submit',
      charges: points(2),
      readSubmit: readSubmit('put_record'),
      handle: put,
    },
    { method: 'POST', path: path('deleteRecord'), operation: 'remove', charges: points(1), handle: remove },
    { method: 'GET', path: path('getRecord'), operation: 'check', open: true, findAccount, charges: ip, answer: get },
    { method: 'GET', path: path('listRecords'), operation: 'find', open: true, findAccount, charges: ip, answer: list },
  ]
}

function readTarget(context: PlatformContext, { fields }: Call, session: Session): Target {
  if (!fields) throw invalidRequest('Input must be a JSON object')
  const collection = textOf(fields['collection'])
  if (collection === undefined || !/^[a-z][a-z0-9.-]*\.[a-zA-Z]+$/.test(collection))
    throw invalidRequest('Input/collection must be a valid nsid')
  const account = findByName(context, textOf(fields['repo']) ?? '')
  if (!account) throw invalidRequest(`Could not find repo: ${textOf(fields['repo']) ?? ''}`)
  if (account !== session.account) throw unauthorized()
  return { account, collection, rkey: textOf(fields['rkey']), fields }
}

/** Only records in the posts collection are posts. */
function readSubmit(operation: string): (call: Call) => SubmitRequest | undefined {
  return ({ fields = {} }) => {
    const { collection, record } = fields
    if (collection !== postCollection || !isFields(record)) return undefined
    const { reply } = record
    const replyTo = isFields(reply) && isStrongRef(reply['parent']) ? reply['parent'].uri : null
    return { operation, text: textOf(record['text']) ?? '', key: textOf(fields['rkey']) ?? null, replyTo }
  }
}

function readRecord({ record }: Fields, collection: string, rkey: string): Fields {
  if (!isFields(record)) throw invalidRequest('Input/record must be an object')
  // The key of a profile is the literal "self"; the key of a post is a TID.
  if (rkey !== 'self' && !isTid(rkey)) throw invalidRequest(`Invalid record key for ${collection}: expected a TID, got ${rkey}`)
  checkRecord(collection, record)
  return record
}
