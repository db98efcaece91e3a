import { textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Media } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { refusal } from './errors.ts'

const types = ['image/jpeg', 'image/png', 'image/gif']
const bytesMax = 20_000_000

/** A lease names an address of a storage, and fields that belong before the file. The storage is one of Amazon's. */
export function uploadRoutes(context: PlatformContext): Route[] {
  const leases = context.createTable<{ account: Media['account']; mime: string; policy: string }>('leases')
  return [
    {
      method: 'POST',
      path: '/api/media/asset.json',
      operation: 'stage',
      scope: 'submit',
      charges: [{ limit: 'queries', cost: 1 }],
      handle({ fields = {} }, { account }) {
        const [filepath, mime] = [textOf(fields['filepath']), textOf(fields['mimetype'])]
        if (filepath === undefined || mime === undefined || !types.includes(mime)) throw refusal(400)
        const key = BigInt(accountNumber('reddit file', `${account.handle} ${context.nextNumber()}`, 16)).toString(36)
        const policy = accountNumber('reddit policy', key, 18)
        leases.set(key, { account, mime, policy })
        const host = context.origin.replace(/^https?:/, '')
        const named = { acl: 'private', key, 'content-type': mime, policy, success_action_status: '201' }
        return json(200, {
          args: {
            action: `${host}/uploaded-media`,
            fields: Object.entries(named).map(([name, value]) => ({ name, value })),
          },
          asset: {
            asset_id: key,
            processing_state: 'incomplete',
            payload: { filepath },
            websocket_url: `wss://wss.example/${key}`,
          },
        })
      },
    },
    {
      method: 'POST',
      path: '/uploaded-media',
      operation: 'stage',
      open: true,
      findAccount: ({ fields = {} }) => leases.get(textOf(fields['key']) ?? '')?.account,
      answer({ fields = {}, files, headers }) {
        const key = textOf(fields['key']) ?? ''
        const lease = leases.get(key)
        const file = files.get('file')
        const isRight =
          lease && file && textOf(fields['policy']) === lease.policy && textOf(fields['content-type']) === lease.mime
        if (!isRight || headers.authorization !== undefined) return xml(403, '<Error><Code>AccessDenied</Code></Error>')
        if (file.bytes.length > bytesMax) return xml(400, '<Error><Code>EntityTooLarge</Code></Error>')
        const { account, mime } = lease
        context.simulator.media.add(context.name, {
          id: key,
          account,
          mime,
          bytes: file.bytes,
          alt: '',
          readyAtMs: context.now(),
        })
        const location = `${context.origin}/uploaded-media/${key}`
        return xml(201, `<PostResponse><Location>${location}</Location><Key>${key}</Key></PostResponse>`)
      },
    },
  ]
}

function xml(status: number, body: string) {
  return { status, headers: { 'content-type': 'application/xml' }, body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}` }
}
