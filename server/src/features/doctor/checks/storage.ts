import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { createStorage } from '../../../infra/storage/create-storage.ts'
import type { Storage } from '../../../infra/storage/storage.ts'
import { fail, ok, type Check, type Finding, type Subject } from '../check.ts'
import { explainStorageError } from '../explain-storage-error.ts'
import { fetchText } from '../fetch-text.ts'

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
