import type { Static } from 'typebox'
import type { Client, Draft, Media } from '../kit/connector.ts'
import { PlatformError } from '../kit/platform-error.ts'
import type { Http } from '../kit/http.ts'
import { streamMultipart, uploadOf } from '../kit/stream-multipart.ts'
import { subredditOf } from './find.ts'
import type { Settings } from './settings.ts'
import { AnyBody, Flairs, Lease, type StagedPost } from './wire.ts'

/** Safe to repeat: nobody sees a file before a post shows it. */
export async function stagePost(client: Client, draft: Draft<Settings>): Promise<Static<typeof StagedPost>> {
  const { http } = client
  const { flair } = draft.settings
  const flairId = flair === undefined ? null : await findFlair(http, subredditOf(client, draft.settings), flair)
  return { flairId, files: await Promise.all(draft.media.map((file) => uploadFile(http, file))) }
}

/** Flairs have ids; people know their names. */
async function findFlair(http: Http, subreddit: string, name: string): Promise<string> {
  const path = `/r/${encodeURIComponent(subreddit)}/api/link_flair_v2`
  try {
    const flairs = await http.call({ method: 'GET', path, query: { raw_json: '1' }, returns: Flairs })
    const found = flairs.find(({ id, text }) => id === name || comparable(text ?? '') === comparable(name))
    if (found) return found.id
  } catch (error) {
    // A subreddit without flairs, or one that is not there, does not tell any.
    if (!(error instanceof PlatformError) || error.platformCode === '401') throw error
    if (error.kind !== 'auth' && error.kind !== 'gone' && error.kind !== 'rejected') throw error
  }
  const message = `The subreddit has no flair “${name}” that this account may use. Choose another one, or none.`
  throw new PlatformError({ kind: 'rejected', platformCode: 'unknown_flair', message })
}

const comparable = (name: string) => name.normalize('NFC').trim().toLowerCase()

/** Reddit leases a place in a storage. Its host has no scheme, and needs no token. */
async function uploadFile(http: Http, file: Media): Promise<{ asset: string; url: string }> {
  const form = { filepath: file.name, mimetype: file.mimeType }
  const lease = await http.call({ method: 'POST', path: '/api/media/asset.json', form, returns: Lease })
  const fields = Object.fromEntries(lease.args.fields.map(({ name, value }) => [name, value]))
  const action = URL.parse(lease.args.action, http.origin)?.href
  if (action === undefined || fields['key'] === undefined)
    throw new PlatformError({ kind: 'unavailable', platformCode: null, message: 'Reddit did not say where to upload the file.' })
  const upload = uploadOf(await streamMultipart('file', file, fields))
  const stored = await http.call({ method: 'POST', path: action, ...upload, anonymous: true, returns: AnyBody })
  // Anything else is not of the storage, which then has no file.
  if (typeof stored !== 'string' || !stored.includes('<PostResponse>'))
    throw new PlatformError({
      kind: 'unavailable',
      platformCode: null,
      message: 'The storage of Reddit did not confirm the file.',
    })
  return { asset: lease.asset.asset_id, url: `${action.replace(/\/$/, '')}/${fields['key']}` }
}
