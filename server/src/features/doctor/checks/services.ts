import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { connectors } from '@carillon/connectors'
import { appSetting, isPlatform, platforms } from '@carillon/contract'
import { verifyMailServer } from '../../../infra/mail/verify-mail-server.ts'
import { createStorage } from '../../../infra/storage/create-storage.ts'
import type { Storage } from '../../../infra/storage/storage.ts'
import { needsApp } from '../../connections/connect/connect-method.ts'
import { type Check, type Finding, type Subject, fail, fetchText, ok, warn } from '../check.ts'

const key = '.carillon/doctor.json'
const content = '{"writtenBy":"carillon doctor"}'
const view = { expiresInSeconds: 60, mimeType: 'application/json', fileName: 'doctor.json', isAttachment: true }

/** Writes, reads, signs and deletes a small file. */
export const storage: Check = {
  name: 'storage',
  async run({ config }) {
    const { media } = config
    const place = media.s3 ? `the bucket "${media.s3.bucket}"` : `the folder ${media.dir}`
    const store = createStorage(config)
    try {
      await store.put(key, Readable.from([Buffer.from(content)]), { mimeType: view.mimeType })
      const read = (await buffer(await store.get(key))).toString()
      if (read !== content) return fail(`What is read from ${place} is not what was written.`, 'Check the store.')
      const refusal = media.s3 ? await findRefusal(store, media.s3) : null
      await store.delete([key])
      return refusal ?? ok(`Files can be written, read, signed and deleted in ${place}.`)
    } catch (error) {
      return explainStorageError(error, place, config)
    }
  },
}

const s3Actions: Readonly<Record<string, string>> = {
  NoSuchBucket: 'Create the bucket, or correct CARILLON_S3_BUCKET.',
  SignatureDoesNotMatch: 'Correct CARILLON_S3_SECRET_KEY.',
  InvalidAccessKeyId: 'Correct CARILLON_S3_ACCESS_KEY.',
  AccessDenied: 'Allow this key to put, get and delete objects of the bucket, or correct CARILLON_S3_ACCESS_KEY.',
  ECONNREFUSED: 'Start the store, or correct CARILLON_S3_ENDPOINT.',
  ENOTFOUND: 'Correct CARILLON_S3_ENDPOINT.',
}

const folderActions: Readonly<Record<string, string>> = {
  EACCES: 'Give the folder to the user that runs Carillon (chown), or set CARILLON_MEDIA_DIR to another folder.',
  EROFS: 'Mount a volume that can be written there, or set CARILLON_MEDIA_DIR to another folder.',
  ENOSPC: 'Free some space on the disk.',
  ENOTDIR: 'A part of the path is a file. Correct CARILLON_MEDIA_DIR.',
  EEXIST: 'A file is in the way. Correct CARILLON_MEDIA_DIR.',
}

/** Browsers and platforms use signed addresses, which may have another host. The folder's are served by the API itself. */
async function findRefusal(store: Storage, s3: NonNullable<Subject['config']['media']['s3']>): Promise<Finding | null> {
  const signed = await store.signGet(key, view)
  const answer = await fetchText(signed)
  if (answer.isOk && answer.text === content) return null
  const reason = answer.isOk ? 'it answers something else' : answer.problem
  return fail(
    `A signed address of the bucket does not work at ${new URL(signed).origin}: ${reason}.`,
    s3.publicEndpoint ? 'Correct CARILLON_S3_PUBLIC_ENDPOINT.' : 'Check CARILLON_S3_REGION and CARILLON_S3_PATH_STYLE.',
  )
}

/** What an error of the media store means for an operator. */
function explainStorageError(error: unknown, place: string, { media }: Subject['config']): Finding {
  // Errors of the store are wrapped in one that is meant for clients of the API.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { name, code, message } = cause as Error & { code?: string }
  const actions = media.s3 ? s3Actions : folderActions
  const action = actions[code ?? ''] ?? actions[name] ?? 'Correct the settings of the media store.'
  return fail(`Files cannot be stored in ${place}: ${code ?? name}: ${message}.`, action)
}

export const mail: Check = {
  name: 'mail',
  async run({ config }) {
    if (config.mail === null)
      return warn(
        'No mail is sent: invitations and links to reset a password are only in the log.',
        'Set CARILLON_SMTP_URL and CARILLON_MAIL_FROM.',
      )
    const { host } = new URL(config.mail.smtpUrl)
    const problem = await verifyMailServer(config.mail)
    if (problem === null) return ok(`The mail server ${host} accepts the login.`)
    return fail(`The mail server ${host} cannot be used: ${problem}.`, 'Correct CARILLON_SMTP_URL, or start the mail server.')
  },
}

export const platformApps: Check = {
  name: 'platform-apps',
  isQuick: true,
  async run({ config: { apps, platformOrigins, sandboxes, vettedApps } }) {
    const half = Object.entries(apps).filter(([, { clientId, clientSecret }]) => !clientId || !clientSecret)
    if (half.length > 0) {
      const names = half.map(([platform]) => appSetting(platform)).join(', ')
      return fail(`${names} has no client id or no client secret.`, 'Write both, as <client id>:<client secret>.')
    }
    const has = (platform: string) => apps[platform] !== undefined || platformOrigins[platform] !== undefined
    const unknown = vettedApps.filter((platform) => !has(platform))
    if (unknown.length > 0)
      return warn(
        `CARILLON_VETTED_APPS names ${unknown.join(', ')}, for which no app is configured.`,
        `Set ${unknown.map(appSetting).join(', ')}, or correct the list.`,
      )
    const without = sandboxes.filter((platform) => !isPlatform(platform) || connectors[platform].sandboxOrigin === undefined)
    if (without.length > 0)
      return warn(`CARILLON_SANDBOXES names ${without.join(', ')}, which has no sandbox.`, 'Correct the list.')
    const missing = platforms.filter((platform) => needsApp(connectors[platform].auth) && !has(platform))
    if (missing.length === 0) return ok('Every platform that needs a developer app has one.')
    return ok(
      `The environment has no developer app for ${missing.join(', ')}. They can be connected if an operator entered one under Settings → Platforms.`,
    )
  },
}
