import type { ContentFormat } from '@carillon/contract'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { connectors } from '../connectors.gen.ts'
import type { Connector, Draft, Media } from './connector.ts'
import { createHttp } from './create-http.ts'
import type { Transport } from './http.ts'
import { uploadTimeoutMs } from './read-media.ts'

/** Guarantee: a file that a platform takes can be uploaded over a connection of 1 Mbit/s, and a small one never has less time than before. */
const slowestBytesPerMs = 125

test.each([0, 1, 5_000_000, 50_000_000, 100_000_000])('the time for %d bytes', (sizeBytes) => {
  expect(uploadTimeoutMs(sizeBytes)).toBeGreaterThanOrEqual(120_000)
  expect(uploadTimeoutMs(sizeBytes)).toBeGreaterThan(sizeBytes / slowestBytesPerMs)
  expect(uploadTimeoutMs(sizeBytes)).toBeLessThanOrEqual(15 * 60_000)
})

/** Stages a post with one file, and returns how long the call with the file may take. The platform is this function. */
async function timeOfUpload(connector: Connector, format: ContentFormat, media: Media): Promise<number> {
  const times: number[] = []
  const upload = { uploadUrl: 'https://upload.example/1', document: 'urn:li:document:1' }
  const job = { did: 'did:web:example', token: 't', canUpload: true, jobId: '1', state: 'JOB_STATE_COMPLETED' }
  const answer = { id: '1', url: null, blob: {}, value: upload, ...job }
  const transport: Transport = async ({ timeoutMs }) => {
    times.push(timeoutMs)
    return { status: 200, headers: {}, text: async () => JSON.stringify(answer) }
  }
  const { classify, attach, settings } = connector
  const credentials = { accessToken: 't' }
  const origin = connector.origin ?? 'https://social.example'
  const http = createHttp({ transport, origin, credentials, classify, attach, nowMs: Date.now, wait: async () => {} })
  const draft: Draft = {
    format,
    text: '',
    title: null,
    linkUrl: null,
    media: [media],
    settings: Object(Value.Default(settings, {})),
    replyTo: null,
  }
  await connector.stage?.({ http, account: { id: '1', handle: 'a' }, credentials }, draft)
  return Math.max(...times)
}

test.each([
  { platform: 'bluesky', kind: 'video' },
  { platform: 'mastodon', kind: 'video' },
  { platform: 'linkedin', kind: 'document' },
] as const)('the largest $kind on $platform, which is sent in one call', async ({ platform, kind }) => {
  const connector: Connector = connectors[platform]
  const sizeBytes = connector.manifest[kind]?.bytesMax ?? NaN
  const media: Media = {
    kind,
    name: 'bell',
    mimeType: connector.manifest[kind]?.mimeTypes[0] ?? '',
    sizeBytes,
    width: null,
    height: null,
    durationSeconds: null,
    alt: '',
    read: async () => new Uint8Array(),
    stream: async () => new Blob([]).stream(),
    url: async () => 'https://files.example/bell',
  }
  expect(await timeOfUpload(connector, kind, media)).toBeGreaterThan(sizeBytes / slowestBytesPerMs)
})
