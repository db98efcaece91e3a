import type { Call } from '../../http/call.ts'
import { isFields, numberOf, textOf, textsOf, type Fields } from '../../http/fields.ts'
import { json, type Reply } from '../../http/reply.ts'
import type { Route, Session } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { randomToken } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { fillAsset, stateOfAsset, type Asset, type AssetKind } from './asset.ts'
import { findActingAccount, isPage, canActFor } from './author.ts'
import { accessDenied, invalidField, refuseRest } from './errors.ts'
import { versioned } from './versioned.ts'

const partBytes = 4_194_304
const dayMs = 86_400_000

type Tables = { assets: Map<string, Asset>; nextId: () => string }

/** Uploads of images, documents and videos: initialize, upload to the returned URL, then refer to the file by its URN. */
export function uploadRoutes(context: PlatformContext, { assets, nextId }: Tables): Route[] {
  const initialize = (kind: AssetKind) => (call: Call, session: Session) => {
    if (call.query.get('action') === 'finalizeUpload' && kind === 'video') return finalize(call, session)
    if (call.query.get('action') !== 'initializeUpload') throw invalidField('action', 'unknown')
    const request = call.fields?.['initializeUploadRequest']
    if (!isFields(request)) throw refuseRest(400, 'MISSING_FIELD', 'initializeUploadRequest is required')
    const owner = findActingAccount(context, session, textOf(request['owner']))
    if (!owner) throw accessDenied('The owner does not match the token.')
    const asset = createAsset(kind, owner, request)
    return json(200, { value: kind === 'video' ? videoInstructions(asset, call) : simpleInstructions(asset, call) })
  }

  const createAsset = (kind: AssetKind, account: Account, request: Fields): Asset => {
    const sizeBytes = numberOf(request['fileSizeBytes'])
    if (kind === 'video' && (sizeBytes === undefined || sizeBytes < 1)) throw invalidField('fileSizeBytes', 'required')
    const asset: Asset = {
      urn: `urn:li:${kind}:D${nextId()}`,
      kind,
      account,
      sizeBytes,
      uploadToken: randomToken(12),
      urlExpiresAtMs: context.now() + (kind === 'video' ? 30 * dayMs : dayMs),
      parts: new Map(),
      bytes: undefined,
      mime: undefined,
      readyAtMs: Infinity,
      isFailing: false,
    }
    assets.set(asset.urn, asset)
    return asset
  }

  /** At the address by which the caller reached the simulator: a client sends its token to no other. */
  const addressOf = ({ urn }: Asset, { headers }: Call) => {
    const { protocol, host, pathname } = new URL(context.origin)
    return `${protocol}//${headers.host ?? host}${pathname}/dms-uploads/${urn.split(':').at(-1)}`
  }
  const simpleInstructions = (asset: Asset, call: Call) => ({
    uploadUrl: `${addressOf(asset, call)}/${asset.kind}`,
    uploadUrlExpiresAt: asset.urlExpiresAtMs,
    [asset.kind]: asset.urn,
  })
  const videoInstructions = (asset: Asset, call: Call) => {
    const size = asset.sizeBytes ?? 0
    const uploadInstructions = Array.from({ length: Math.ceil(size / partBytes) }, (_, part) => ({
      uploadUrl: `${addressOf(asset, call)}/parts/${part}`,
      firstByte: part * partBytes,
      lastByte: Math.min(size, (part + 1) * partBytes) - 1,
    }))
    return { video: asset.urn, uploadToken: asset.uploadToken, uploadInstructions, uploadUrlsExpireAt: asset.urlExpiresAtMs }
  }

  const loadByAddress = (kind: string, id = ''): Asset => {
    const asset = assets.get(`urn:li:${kind}:${id}`)
    if (!asset) throw refuseRest(404, 'RESOURCE_NOT_FOUND', 'no such upload')
    if (asset.urlExpiresAtMs <= context.now()) throw refuseRest(400, 'EXPIRED_UPLOAD_URL', 'The upload URL has expired.')
    return asset
  }

  const put = ({ params, body }: Call, session: Session): Reply => {
    const asset = loadByAddress(params['kind'] ?? '', params['id'])
    if (!canActFor(context, session, asset.account) || asset.kind === 'video') throw accessDenied()
    fillAsset(asset, body, context.readyAtMs())
    return { status: 201, headers: {}, body: '' }
  }

  /** The URL of a part authorizes the upload by itself; the storage behind it refuses requests that also have a token. */
  const putPart = ({ params, body, headers }: Call): Reply => {
    const asset = loadByAddress('video', params['id'])
    if (headers.authorization !== undefined) throw refuseRest(400, 'ILLEGAL_ARGUMENT', 'Only one auth mechanism allowed')
    const part = Number(params['part'])
    const size = asset.sizeBytes ?? 0
    const expected = Math.min(size, (part + 1) * partBytes) - part * partBytes
    if (body.length !== expected) throw invalidField('part', `expected ${expected} bytes and got ${body.length}`)
    asset.parts.set(part, body)
    return { status: 200, headers: { etag: `"${asset.urn.slice(-6)}-${part}"` }, body: '' }
  }

  const finalize = (call: Call, session: Session): Reply => {
    const request = call.fields?.['finalizeUploadRequest']
    const asset = isFields(request) ? assets.get(textOf(request['video']) ?? '') : undefined
    if (!isFields(request) || !asset || !canActFor(context, session, asset.account))
      throw refuseRest(404, 'RESOURCE_NOT_FOUND', 'no such video')
    if (textOf(request['uploadToken']) !== asset.uploadToken) throw invalidField('uploadToken', 'does not match')
    const parts = [...asset.parts].toSorted(([one], [other]) => one - other)
    const named = textsOf(request['uploadedPartIds']).map((etag) => etag.replaceAll('"', ''))
    const known = parts.map(([part]) => `${asset.urn.slice(-6)}-${part}`)
    const bytes = Buffer.concat(parts.map(([, body]) => body))
    if (named.join() !== known.join() || bytes.length !== asset.sizeBytes) throw invalidField('uploadedPartIds', 'incomplete')
    asset.parts.clear()
    asset.isFailing = context.settings.processingFails
    fillAsset(asset, bytes, context.readyAtMs(context.settings.processingMs))
    return json(200, {})
  }

  /** Members can read the status of their videos only. */
  const read = (kind: AssetKind) => (call: Call, session: Session) => {
    const found = assets.get(call.params['urn'] ?? '')
    const asset = found && canActFor(context, session, found.account) ? found : undefined
    if (kind !== 'video' && !isPage(asset?.account ?? session.account))
      throw accessDenied(`Accessing this ${kind} resource is forbidden`)
    if (!asset) throw refuseRest(404, 'RESOURCE_NOT_FOUND', 'no such media')
    return json(200, { id: asset.urn, owner: asset.account.id, status: stateOfAsset(asset, context.now()) })
  }

  const kinds: AssetKind[] = ['image', 'video', 'document']
  return [
    ...kinds.flatMap((kind): Route[] => [
      { method: 'POST', path: `/rest/${kind}s`, operation: 'stage', handle: versioned(context, initialize(kind)) },
      { method: 'GET', path: `/rest/${kind}s/:urn`, operation: 'stage', handle: versioned(context, read(kind)) },
    ]),
    {
      method: 'PUT',
      path: '/dms-uploads/:id/parts/:part',
      operation: 'stage',
      open: true,
      findAccount: ({ params }) => assets.get(`urn:li:video:${params['id']}`)?.account,
      answer: putPart,
    },
    { method: 'PUT', path: '/dms-uploads/:id/:kind', operation: 'stage', handle: put },
  ]
}
