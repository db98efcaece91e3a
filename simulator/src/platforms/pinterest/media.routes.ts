import { textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { invalid, refusal } from './errors.ts'

const bytesMax = 2_000_000_000
const videos = ['video/mp4', 'video/quicktime', 'video/x-m4v']

export type Registered = { id: string; account: Account; policy: string }

export function mediaStatus(context: PlatformContext, id: string): 'registered' | 'processing' | 'succeeded' | 'failed' {
  const file = context.simulator.media.find(context.name, id)
  if (!file) return 'registered'
  if (file.readyAtMs > context.now()) return 'processing'
  return file.isFailing === true || context.settings.processingFails ? 'failed' : 'succeeded'
}

/** A video is registered, sent to a storage with the fields that belong before it, and processed then. */
export function mediaRoutes(context: PlatformContext, registered: Map<string, Registered>): Route[] {
  return [
    {
      method: 'POST',
      path: '/v5/media',
      operation: 'stage',
      scope: 'pins:read pins:write',
      charges: [{ limit: 'write', cost: 1 }],
      handle({ fields = {} }, { account }) {
        if (fields['media_type'] !== 'video') throw invalid('media_type', 'enum=video')
        const id = accountNumber('pinterest media', `${account.handle} ${context.nextNumber()}`, 19)
        const policy = accountNumber('pinterest policy', id, 18)
        registered.set(id, { id, account, policy })
        return json(201, {
          media_id: id,
          media_type: 'video',
          upload_url: `${context.origin}/media-upload/`,
          upload_parameters: {
            'x-amz-date': '20261119T101500Z',
            'x-amz-signature': policy,
            'x-amz-security-token': 'token',
            'x-amz-algorithm': 'AWS4-HMAC-SHA256',
            key: `uploads/11/aa/22/3:video:${id}`,
            policy,
            'x-amz-credential': 'credential',
            'Content-Type': 'multipart/form-data',
          },
        })
      },
    },
    {
      method: 'GET',
      path: '/v5/media/:id',
      operation: 'check',
      scope: 'pins:read',
      charges: [{ limit: 'read', cost: 1 }],
      handle({ params: { id = '' } }, { account }) {
        if (registered.get(id)?.account !== account) throw refusal(404)
        return json(200, { media_id: id, media_type: 'video', status: mediaStatus(context, id) })
      },
    },
    {
      method: 'POST',
      path: '/media-upload/',
      operation: 'stage',
      open: true,
      findAccount: ({ fields = {} }) => findRegistered(registered, textOf(fields['key']))?.account,
      answer({ fields = {}, files, headers }) {
        const found = findRegistered(registered, textOf(fields['key']))
        const file = files.get('file')
        const isRight =
          found && file && textOf(fields['policy']) === found.policy && textOf(fields['x-amz-signature']) !== undefined
        if (!isRight || headers.authorization !== undefined) return xml(403, '<Error><Code>AccessDenied</Code></Error>')
        if (file.bytes.length > bytesMax) return xml(400, '<Error><Code>EntityTooLarge</Code></Error>')
        const { id, account } = found
        const { mime, bytes } = file
        const readyAtMs = context.readyAtMs(context.settings.processingMs)
        const isFailing = !videos.includes(mime)
        context.simulator.media.add(context.name, { id, account, mime, bytes, alt: '', readyAtMs, isFailing })
        return { status: 204, headers: {}, body: '' }
      },
    },
  ]
}

function findRegistered(registered: Map<string, Registered>, key: string | undefined): Registered | undefined {
  return registered.get(key?.split(':').at(-1) ?? '')
}

function xml(status: number, body: string) {
  return { status, headers: { 'content-type': 'application/xml' }, body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}` }
}
