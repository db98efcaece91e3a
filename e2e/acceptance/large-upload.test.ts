import { expect, test } from 'vitest'
import { callData } from '../support/call.ts'
import { makeMp4 } from '../support/files.ts'
import { measureProcess } from '../support/measure-memory.ts'
import { uploadLarge } from '../support/upload-large.ts'
import { testStack } from '../test-stack.ts'

const gigabyte = 2 ** 30
const extraBytesMax = 64 * 2 ** 20

/** Guarantee: the memory of the server does not grow with the size of an uploaded file. */
test('an upload of a gigabyte needs little memory in the server', async () => {
  const clip = await makeMp4()
  // A `free` box, which players skip, makes the file large and leaves it a valid video.
  const filler = Buffer.alloc(8)
  filler.writeUInt32BE(gigabyte)
  filler.write('free', 4, 'latin1')
  const large = { name: 'large.mp4', head: Buffer.concat([clip, filler]), zeros: gigabyte - 8 }
  const { result, tookMs, extraBytes } = await measureProcess(testStack.pids['Carillon all'] ?? 0, () => uploadLarge(large))
  console.log(`1 GB in ${(tookMs / 1000).toFixed(1)} s, ${(extraBytes / 2 ** 20).toFixed(0)} MB more in the server`)
  expect([result.status, result.data.sizeBytes]).toEqual([201, clip.length + gigabyte])
  expect(extraBytes).toBeLessThan(extraBytesMax)
  await callData(`DELETE /media/${result.data.id}`)
}, 180_000)
