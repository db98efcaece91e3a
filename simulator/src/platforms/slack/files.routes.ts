import { isFields, listOf, numberOf, textOf } from '../../http/fields.ts'
import { json } from '../../http/reply.ts'
import type { Route } from '../../platform.ts'
import type { Account, Media } from '../../state/entities.ts'
import { accountNumber } from '../../state/ids.ts'
import type { PlatformContext } from '../../state/platform-context.ts'
import { refusal } from './errors.ts'
import { readShare, type Message, type Messages } from './messages.routes.ts'

const altMax = 1000

type File = {
  id: string
  account: Account
  filename: string
  length: number
  alt: string
  title: string
  media: Media | undefined
  message: Message | undefined
}

/** A file is announced, uploaded to an address of its own, and shared. Sharing ends later than its answer. */
export function fileRoutes(context: PlatformContext, { publish, checkChannel }: Messages): Route[] {
  const files = context.createTable<File>('files')
  const view = (file: File) => {
    const { message, account } = file
    const isShared = message !== undefined && message.shownAtMs <= context.now() && !message.deleted
    const share = { [account.id]: [{ ts: message?.ts, thread_ts: message?.threadTs, channel_name: account.handle }] }
    return { id: file.id, name: file.filename, title: file.title, ...(isShared && { shares: { public: share } }) }
  }
  const load = (account: Account, id: string | undefined): File => {
    const file = files.get(id ?? '')
    if (file?.account !== account) throw refusal('file_not_found')
    return file
  }
  const charges = [{ limit: 'tier4', cost: 1 }]

  return [
    {
      method: 'POST',
      path: '/api/files.getUploadURLExternal',
      operation: 'stage',
      scope: 'files:write',
      charges,
      handle({ fields = {} }, { account }) {
        const [filename, length] = [textOf(fields['filename']), numberOf(fields['length'])]
        if (filename === undefined || !length) throw refusal('missing_argument')
        const alt = textOf(fields['alt_txt']) ?? ''
        if (alt.length > altMax) throw refusal('alt_txt_too_large')
        const id = `F${accountNumber('slack file', `${account.handle} ${context.nextNumber()}`, 10)}`
        files.set(id, { id, account, filename, length, alt, title: filename, media: undefined, message: undefined })
        return json(200, { ok: true, upload_url: `${context.origin}/upload/v1/${id}`, file_id: id })
      },
    },
    {
      method: 'POST',
      path: '/upload/v1/:id',
      operation: 'stage',
      open: true,
      findAccount: ({ params }) => files.get(params['id'] ?? '')?.account,
      answer({ params, body, headers }) {
        const file = files.get(params['id'] ?? '')
        if (!file || body.length !== file.length) return { status: 400, headers: {}, body: 'bad upload' }
        const mime = headers['content-type'] ?? 'application/octet-stream'
        const { id, account, alt } = file
        const kept = { id, account, mime, bytes: body, alt, readyAtMs: context.now() }
        file.media = context.simulator.media.add(context.name, kept)
        return { status: 200, headers: { 'content-type': 'text/plain' }, body: `OK - ${body.length}` }
      },
    },
    {
      method: 'POST',
      path: '/api/files.completeUploadExternal',
      operation: 'submit',
      scope: 'files:write',
      charges,
      readSubmit: readShare,
      handle(call, { account }) {
        const { fields = {} } = call
        checkChannel(account, fields['channel_id'])
        const named = listOf(fields['files']).filter(isFields)
        if (named.length === 0) throw refusal('invalid_arguments')
        const shared = named.map((each) => {
          const file = load(account, textOf(each['id']))
          if (!file.media || file.message) throw refusal('file_not_found')
          file.title = textOf(each['title']) ?? file.filename
          return { file, media: file.media }
        })
        for (const { file, media } of shared) if (!/^(?:image|video)\//.test(media.mime)) media.alt = file.title
        const message = publish(call, account, {
          sent: textOf(fields['initial_comment']) ?? '',
          threadTs: textOf(fields['thread_ts']),
          media: shared.map(({ media }) => media),
          request: fields,
          shownAtMs: context.readyAtMs(context.settings.processingMs),
        })
        for (const { file, media } of shared) {
          file.message = message
          media.attachedTo = message.id
        }
        return json(200, { ok: true, files: shared.map(({ file: { id, title } }) => ({ id, title })) })
      },
    },
    {
      method: 'GET',
      path: '/api/files.info',
      operation: 'check',
      scope: 'files:read',
      charges,
      handle: ({ query }, { account }) => json(200, { ok: true, file: view(load(account, query.get('file') ?? undefined)) }),
    },
  ]
}
