// Publishes a picture with the SDK, and waits for the result. Node 22.18 or newer runs it as it is: node publish.ts
import { openAsBlob } from 'node:fs'
import { createCarillon } from '@carillon/sdk'

const {
  CARILLON_URL = '',
  CARILLON_KEY = '',
  CARILLON_WORKSPACE = '',
  ACCOUNTS = '',
  FILE = '',
  TEXT = '',
  KEY = '',
} = process.env
const carillon = createCarillon({ baseUrl: CARILLON_URL, apiKey: CARILLON_KEY, workspaceId: CARILLON_WORKSPACE })
const medias = [await openAsBlob(FILE)]
// The same key for every attempt: however often this is run, there is one post.
const post = await carillon.content.createPhotos(
  { connections: ACCOUNTS.split(' '), text: TEXT, medias },
  { idempotencyKey: KEY },
)
const { channels } = await carillon.content.waitUntilFinished(post.uploadId)
for (const { platform, result } of channels) console.log(platform, result.status, result.postUrl)
